/** Reads repositories with mutated packs, indexes and objects: each answer is right, or a failure with a code. */
import { openWorkspace, ReadFileError } from "../../../mod.ts";
import { gitFs } from "../../../git/mod.ts";
import { memoryRepository } from "../../support/git_place.ts";
import {
  commitOf,
  copyStep,
  deltaOf,
  emptyRepository,
  type GitFiles,
  insertStep,
  joined,
  type MadeObject,
  objectOf,
  type PackEntry,
  packFiles,
  packOf,
  treeOf,
} from "../../support/git_repository.ts";
import { Random } from "../../support/random.ts";
import stored from "../stored.json" with { type: "json" };

/** The sums of a run. */
export interface FuzzSums {
  readonly mutants: number;
  /** How many reads gave the right bytes. */
  right: number;
  /** How many reads failed with a code. */
  failed: number;
  /** The longest time for one mutant. */
  slowestMs: number;
}

/** A repository, and what is read of it: the expected content by revision and path. */
interface Subject {
  readonly files: GitFiles;
  readonly answers: readonly {
    readonly rev: string;
    readonly path: string;
    readonly content: Uint8Array;
  }[];
}

/** Reads `count` mutants; throws at a wrong answer, or a failure without a code. */
export async function fuzz(count: number, seed: number): Promise<FuzzSums> {
  const random = new Random(seed);
  const subjects = await Promise.all(
    [stored.sha1.files, stored.sha256.files].map(storedSubject),
  );
  const sums = { mutants: count, right: 0, failed: 0, slowestMs: 0 };
  for (let at = 0; at < count; at++) {
    // Every second one is changed before it is compressed.
    const subject = at % 2 === 0
      ? mutated(random, random.pick(subjects))
      : mutatedDeltas(random);
    const began = performance.now();
    for (const answer of subject.answers) {
      try {
        const isRight = await readsRight(subject.files, answer);
        if (!isRight) throw new Error(`mutant ${at} of ${seed} is wrong`);
        sums.right++;
      } catch (error) {
        if (!(error instanceof ReadFileError)) throw error;
        sums.failed++;
      }
    }
    sums.slowestMs = Math.max(sums.slowestMs, performance.now() - began);
  }
  return sums;
}

async function readsRight(
  files: GitFiles,
  { rev, path, content }: Subject["answers"][number],
): Promise<boolean> {
  const fs = memoryRepository(files);
  const port = await gitFs({ repository: "/repo", rev, fs });
  const workspace = await openWorkspace("/", { fs: port });
  const file = await workspace.open(path);
  const bytes = new Uint8Array(content.length + 1);
  let filled = 0;
  for (let count = -1; count !== 0; filled += count) {
    count = await file.read(bytes.subarray(filled), filled);
  }
  await file.close();
  return filled === content.length &&
    content.every((byte, at) => byte === bytes[at]);
}

/** A repository that git made. */
async function storedSubject(
  base64: Readonly<Record<string, string>>,
): Promise<Subject> {
  const files = Object.fromEntries(
    Object.entries(base64).map((
      [path, text],
    ) => [path, Uint8Array.fromBase64(text)]),
  );
  const answers: Subject["answers"][number][] = [];
  for (const rev of ["HEAD", "HEAD~2", "v1"]) {
    const fs = memoryRepository(files);
    const port = await gitFs({ repository: "/repo", rev, fs });
    for (const path of ["notes.txt", "src/deep/a.ts"]) {
      const handle = await port.open(`/${path}`);
      const content = new Uint8Array((await handle.stat()).size);
      await handle.read(content, 0);
      answers.push({ rev, path, content });
    }
  }
  return { files, answers };
}

const SPECIAL = [0, 1, 0x7f, 0x80, 0xff];

/** Changes some bytes of a pack, an index or a loose object. */
function mutated(random: Random, { files, answers }: Subject): Subject {
  const paths = Object.keys(files).filter((path) =>
    path.startsWith("objects/")
  );
  const path = random.pick(paths);
  const given = files[path];
  if (!(given instanceof Uint8Array)) throw new TypeError(path);
  let bytes = new Uint8Array(given);
  const place = () => random.below(Math.max(1, bytes.length));
  for (let left = 1 + random.below(3); left > 0; left--) {
    switch (random.below(6)) {
      case 0:
        bytes[place()]! ^= 1 << random.below(8);
        break;
      case 1:
        bytes[place()] = random.pick(SPECIAL);
        break;
      case 2:
        bytes.copyWithin(place(), place());
        break;
      case 3:
        bytes = bytes.slice(0, place());
        break;
      case 4: {
        const from = place();
        bytes.copyWithin(place(), from, from + random.below(40));
        break;
      }
      default: {
        const at = place();
        bytes.fill(random.pick(SPECIAL), at, at + 4);
      }
    }
  }
  return { files: { ...files, [path]: bytes }, answers };
}

const LINES = Array.from({ length: 60 }, (_, at) => `${at} of a file\n`);
const BASE = objectOf("blob", LINES.join(""));
const STEPS = [
  copyStep(0, 200),
  insertStep("new words"),
  copyStep(300, BASE.bytes.length - 300),
];
const NEXT = objectOf(
  "blob",
  joined(
    BASE.bytes.subarray(0, 200),
    "new words",
    BASE.bytes.subarray(300),
  ),
);
const LAST = objectOf("blob", joined(NEXT.bytes.subarray(50), "end"));

/** A pack of deltas of which one part is wrong, but well compressed. */
function mutatedDeltas(random: Random): Subject {
  const tree = treeOf([{ name: "a", mode: "100644", oid: LAST.oid }]);
  const commit = commitOf(tree.oid);
  const first = deltaOf(BASE.bytes.length, NEXT.bytes.length, ...STEPS);
  const second = deltaOf(
    NEXT.bytes.length,
    LAST.bytes.length,
    copyStep(50, NEXT.bytes.length - 50),
    insertStep("end"),
  );
  const change = (bytes: Uint8Array) => {
    const copy = new Uint8Array(bytes);
    copy[random.below(copy.length)] = random.below(256);
    return random.below(4) === 0
      ? copy.slice(0, random.below(copy.length))
      : copy;
  };
  const which = random.below(8);
  const entries: PackEntry[] = [
    which === 0 ? changedObject(BASE, change) : BASE,
    {
      oid: NEXT.oid,
      delta: which === 1 ? change(first) : first,
      base: random.below(2) === 0 ? 1 : BASE.oid,
    },
    {
      oid: LAST.oid,
      delta: which === 2 ? change(second) : second,
      base: random.pick([1, NEXT.oid, LAST.oid, 2]),
    },
    which === 3 ? changedObject(tree, change) : tree,
    which === 4 ? changedObject(commit, change) : commit,
  ];
  const at = random.below(entries.length);
  const huge = random.pick([0, 1, 100, 2 ** 20, 2 ** 31, 2 ** 32 + 5, 2 ** 52]);
  const made = packOf(entries, "sha1", {
    ...which === 5 && { sizes: { [at]: huge } },
    ...which === 6 && { types: { [at]: random.below(8) } },
    ...which === 7 && { offsets: { [at]: huge }, long: random.below(2) === 0 },
    ...which > 4 && random.below(3) === 0 &&
      { backs: { [at]: random.below(400) } },
  });
  const files = { ...emptyRepository(commit.oid), ...packFiles(made) };
  return { files, answers: [{ rev: "main", path: "a", content: LAST.bytes }] };
}

function changedObject(
  { oid, type, bytes }: MadeObject,
  change: (bytes: Uint8Array) => Uint8Array,
): MadeObject {
  return { oid, type, bytes: change(bytes) };
}
