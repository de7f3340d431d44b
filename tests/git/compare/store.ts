/** Writes tests/git/stored.json: small repositories that git made, and what git answers about them. */
import { createHash } from "node:crypto";
import { CatFile, git, gitText } from "./git.ts";
import type { Stored } from "../stored_test.ts";

const FILES = ["notes.txt", "src/deep/a.ts", "crlf.txt"];
const REVISIONS = [
  ...["HEAD", "@", "main", "side", "v1", "v1^{}", "v1-again", "HEAD~1"],
  ...["HEAD^2", "HEAD~2", "HEAD^2~1", "main~4", "origin", "heads/side"],
  ...["refs/tags/v1", "v1~1", "HEAD^0", "main^^", "light", "HEAD:src"],
];

async function make(folder: string, format: string): Promise<void> {
  await git(folder, ["init", "-q", "-b", "main", `--object-format=${format}`]);
  const lines = Array.from({ length: 80 }, (_, at) => `line ${at} ${at * at}`);
  const write = (path: string, text: string) =>
    Deno.writeTextFile(`${folder}/${path}`, text);
  const commit = async (message: string) => {
    await git(folder, ["add", "-A"]);
    await git(folder, ["commit", "-q", "-m", message, "--date=@1700000000"]);
  };
  const edit = async (at: number) => {
    lines[at * 7] = `edited ${at}`;
    await write("notes.txt", `${lines.join("\n")}\n`);
    await commit(`edit ${at}`);
  };
  await Deno.mkdir(`${folder}/src/deep`, { recursive: true });
  await write("src/deep/a.ts", "export const a = 1;\n");
  await write("crlf.txt", "one\r\ntwo\r\n");
  await Deno.symlink("src/deep/a.ts", `${folder}/link`);
  for (let at = 0; at < 4; at++) await edit(at);
  await git(folder, ["tag", "-a", "-m", "first", "v1"]);
  await git(folder, ["tag", "-a", "-m", "again", "v1-again", "v1"]);
  await git(folder, ["checkout", "-q", "-b", "side"]);
  await write("src/deep/a.ts", "export const a = 2;\n");
  await commit("side");
  await git(folder, ["checkout", "-q", "main"]);
  // Deltas by offset.
  await git(folder, ["repack", "-q", "-a", "-d"]);
  await edit(5);
  await edit(6);
  // Deltas by hash.
  await git(folder, [
    ...["-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-d"],
  ]);
  await git(folder, ["merge", "-q", "--no-edit", "side"]);
  await git(folder, ["update-ref", "refs/remotes/origin/main", "main"]);
  await git(folder, ["pack-refs", "--all"]);
  const origin = "refs/remotes/origin/HEAD";
  await git(folder, ["symbolic-ref", origin, "refs/remotes/origin/main"]);
  await git(folder, ["tag", "light", "side"]);
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const kept = /^(HEAD|config|packed-refs|refs\/.*|objects\/(pack|..)\/.*)$/;
  const files: Record<string, string> = {};
  const list = await new Deno.Command("find", {
    args: [".", "-type", "f"],
    cwd: folder,
  }).output();
  const paths = new TextDecoder().decode(list.stdout).split("\n")
    .map((path) => path.slice(2)).sort();
  for (const path of paths) {
    if (!kept.test(path) || /\.rev$/.test(path)) continue;
    const bytes = await Deno.readFile(`${folder}/${path}`);
    files[path] = bytes.toBase64();
  }
  return files;
}

async function store(format: string): Promise<Stored> {
  const folder = await Deno.makeTempDir();
  try {
    await make(folder, format);
    using names = new CatFile(folder, "--batch-check");
    using contents = new CatFile(folder, "--batch");
    const answers: Stored["answers"][number][] = [];
    const head = await gitText(folder, ["rev-parse", "HEAD"]);
    for (const rev of [...REVISIONS, head, head.slice(0, 7)]) {
      const name = rev.includes(":") ? rev : `${rev}^{tree}`;
      const [tree] = (await names.check(name)).split(" ");
      const files: Record<string, string> = {};
      for (const path of rev.includes(":") ? ["deep/a.ts"] : FILES) {
        const name = rev.includes(":") ? `${rev}/${path}` : `${rev}:${path}`;
        const [oid] = (await names.check(name)).split(" ");
        const bytes = await contents.content(oid!);
        files[path] = createHash("sha256").update(bytes).digest("hex");
      }
      answers.push({ rev, tree: tree!, files });
    }
    return { files: await filesOf(`${folder}/.git`), answers };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const stored = { sha1: await store("sha1"), sha256: await store("sha256") };
const path = new URL("../stored.json", import.meta.url);
await Deno.writeTextFile(path, `${JSON.stringify(stored, null, 2)}\n`);
