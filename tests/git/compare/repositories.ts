/** Makes repositories with git, as different as repositories are. */
import { Random } from "../../support/random.ts";
import { git, gitText } from "./git.ts";

const encoder = new TextEncoder();

/** A stream for `git fast-import`. */
class Import {
  readonly #parts: Uint8Array[] = [];

  line(text: string): this {
    this.#parts.push(encoder.encode(`${text}\n`));
    return this;
  }

  data(content: string | Uint8Array): this {
    const bytes = typeof content === "string"
      ? encoder.encode(content)
      : content;
    this.line(`data ${bytes.length}`);
    this.#parts.push(bytes, encoder.encode("\n"));
    return this;
  }

  /** Begins a commit; the lines of its files follow. */
  commit(
    branch: string,
    message: string,
    parents: readonly string[] = [],
  ): void {
    this.line(`commit refs/heads/${branch}`)
      .line("committer A <a@example.org> 1700000000 +0000").data(message);
    for (const [at, parent] of parents.entries()) {
      this.line(`${at === 0 ? "from" : "merge"} ${parent}`);
    }
  }

  bytes(): Uint8Array {
    const size = this.#parts.reduce((sum, { length }) => sum + length, 0);
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function textOf(random: Random, lines: number, end = "\n"): string {
  return Array.from(
    { length: lines },
    (_, at) => `${at} ${random.below(1e9).toString(36)} é\u4e2d${end}`,
  ).join("");
}

/** A repository of odd histories: deep deltas, octopus merges, links, strange names, loose and packed. */
export async function makeOdd(
  folder: string,
  format: "sha1" | "sha256" = "sha1",
): Promise<void> {
  await Deno.mkdir(folder);
  await git(folder, ["init", "-q", "-b", "main", `--object-format=${format}`]);
  const random = new Random(20_301);
  const first = new Import();
  // A chain of a thousand deltas.
  const lines = textOf(random, 400).split("\n");
  for (let at = 0; at < 1000; at++) {
    lines[random.below(lines.length)] = `changed ${at} ${random.below(1e9)}`;
    first.commit("main", `change ${at}`);
    first.line("M 100644 inline deep/er/file.txt").data(lines.join("\n"));
  }
  // fast-import compares a blob with the one before it, so these come after the chain.
  for (let at = 0; at < 100; at++) {
    first.commit("main", `crlf ${at}`);
    first.line(`M 100755 inline crlf/${at % 20}.txt`)
      .data(textOf(random, at % 50, "\r\n"));
  }
  await git(folder, [
    ...["-c", "fastimport.unpackLimit=0"],
    ...["fast-import", "--quiet", "--depth=4000"],
  ], first.bytes());
  await git(folder, ["pack-refs", "--all"]);
  // A second pack: kinds of files and names, and merges of three.
  const second = new Import();
  const tip = "refs/heads/main^0";
  second.commit("odd", "names and kinds", [tip]);
  const put = (
    mode: string,
    content: string | Uint8Array,
    path: string | Uint8Array,
  ) => second.line(`M ${mode} inline ${quote(path)}`).data(content);
  put("120000", "deep/er/file.txt", "links/relative");
  put("120000", "/deep/er", "links/absolute");
  put("120000", "../../outside", "links/out");
  put("120000", "loop", "links/loop");
  put("100644", "composed", "names/caf\u00e9");
  put("100644", "decomposed", "names/cafe\u0301");
  put("100644", "odd bytes", Uint8Array.of(110, 47, 0xff, 0xfe, 0x2e, 0x74));
  put("100644", "new line", "names/new\nline");
  put("100644", "a tab", "names/\ttab");
  put("100644", "back", "names/back\\slash");
  put("100644", "quoted", 'names/"quoted"');
  put("100644", "marks", "names/\u202eright");
  put("100644", "colon", "names/a:b");
  put("100644", "", "empty");
  put("100644", "no end of line", "last");
  put("100644", "\ufeffmark\n", "bom");
  put("100644", randomBytes(random, 70_000), "binary/random");
  put("100644", new Uint8Array(300_000), "binary/zeros");
  put("100644", textOf(random, 20_000), "large/text");
  second.line(`M 160000 ${"1".repeat(format === "sha1" ? 40 : 64)} submodule`);
  const sides = ["one", "two", "three"];
  for (const side of sides) {
    second.commit(`side/${side}`, side, ["refs/heads/odd"]);
    put("100644", `${side}\n`, `sides/${side}`);
  }
  second.commit("octopus", "three at once", [
    "refs/heads/odd",
    ...sides.map((side) => `refs/heads/side/${side}`),
  ]);
  for (const side of sides) put("100644", `${side}\n`, `sides/${side}`);
  // Renames, without a new blob.
  for (let at = 0; at < 40; at++) {
    second.commit("octopus", `rename ${at}`);
    const from = at === 0 ? "large/text" : `renamed/${at - 1}/text`;
    second.line(`R ${from} renamed/${at}/text`);
  }
  await git(folder, [
    ...["-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"],
  ], second.bytes());
  // Loose objects.
  const third = new Import();
  for (let at = 0; at < 30; at++) {
    third.commit(
      "loose",
      `loose ${at}`,
      at === 0 ? ["refs/heads/octopus^0"] : [],
    );
    third.line(`M 100644 inline loose/${at % 7}.txt`)
      .data(textOf(random, 30 + at));
  }
  await git(folder, [
    ...["-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet"],
  ], third.bytes());
  await git(folder, ["tag", "-a", "-m", "a tag", "v1.0", "octopus"]);
  await git(folder, [
    "tag",
    "-a",
    "-m",
    "a tag of a tag",
    "v1.0-again",
    "v1.0",
  ]);
  await git(folder, ["tag", "light", "loose~3"]);
  await git(folder, ["tag", "tree-tag", "loose^{tree}"]);
  await git(folder, ["symbolic-ref", "HEAD", "refs/heads/loose"]);
  await git(folder, ["update-ref", "refs/remotes/origin/main", "main"]);
  await git(folder, [
    ...["symbolic-ref", "refs/remotes/origin/HEAD"],
    "refs/remotes/origin/main",
  ]);
}

/** A path as fast-import takes it. */
function quote(path: string | Uint8Array): string {
  const bytes = typeof path === "string" ? encoder.encode(path) : path;
  const inside = Array.from(bytes, (byte) => {
    const isPlain = byte > 0x20 && byte < 0x7f && byte !== 0x22 &&
      byte !== 0x5c;
    return isPlain
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${inside.join("")}"`;
}

/** A repository with `count` objects in one pack, which git has packed itself. */
export async function makeLarge(folder: string, count: number): Promise<void> {
  await Deno.mkdir(folder);
  await git(folder, ["init", "-q", "-b", "main"]);
  const random = new Random(20_302);
  const stream = new Import();
  // A commit adds some files to one of many folders: a blob each, and about four trees.
  let objects = 0;
  for (let at = 0; objects < count; at++) {
    stream.commit("main", `commit ${at}`);
    const place = `dir${random.below(20)}/sub${random.below(20)}/x${
      random.below(20)
    }`;
    const files = 1 + random.below(3);
    for (let i = 0; i < files; i++) {
      stream.line(`M 100644 inline ${place}/file${random.below(9)}.txt`)
        .data(textOf(random, 4 + random.below(20)));
    }
    objects += files + 5;
  }
  await git(folder, ["fast-import", "--quiet"], stream.bytes());
  await git(folder, ["repack", "-q", "-a", "-d", "--depth=50", "--window=5"]);
  await git(folder, ["pack-refs", "--all"]);
}

/** A repository with two versions of a file of 200 MB, one of which is a delta, and a loose one. */
export async function makeHuge(folder: string): Promise<void> {
  await Deno.mkdir(folder);
  await git(folder, ["init", "-q", "-b", "main"]);
  await Deno.writeTextFile(`${folder}/small`, "small\n");
  const write = async (name: string, seed: number, changed: number) => {
    const random = new Random(seed);
    using file = await Deno.create(`${folder}/${name}`);
    for (let mib = 0; mib < 200; mib++) {
      const lines = textOf(random, 60_000);
      const bytes = encoder.encode(mib === changed ? "changed\n" : lines);
      const writer = file.writable.getWriter();
      await writer.write(bytes);
      writer.releaseLock();
    }
  };
  const commit = async (message: string) => {
    await git(folder, ["add", "-A"]);
    await git(folder, ["commit", "-q", "-m", message]);
  };
  await write("huge", 1, -1);
  await commit("one");
  await write("huge", 1, 77);
  await commit("two");
  await git(folder, ["repack", "-q", "-a", "-d", "--window=2"]);
  await write("loose", 2, -1);
  await commit("three");
}

/** A clone that has nothing of its own: its objects are in another repository. */
export async function makeBorrowing(
  folder: string,
  source: string,
): Promise<void> {
  await git(".", ["clone", "-q", "--bare", "--shared", source, folder]);
}

/** The folders outside of a repository that it names. */
export async function foldersOf(repository: string): Promise<string[]> {
  const folder = await gitText(repository, [
    ...["rev-parse", "--path-format=absolute", "--git-common-dir"],
  ]);
  return [folder];
}
