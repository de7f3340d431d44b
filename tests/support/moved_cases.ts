/** Changes of a file after a read, and the expected outcomes of later reads. */
import type { ReadFileErrorCode } from "../../mod.ts";
import type { Wrapping } from "./wrappings.ts";

/** A change between two reads; `ws/a/b/f.txt` and `out` exist before it. */
export interface Case {
  /** The shell command. */
  readonly words: string;
  readonly path: string;
  readonly deny?: readonly string[];
  /** The path of the narrowed workspace, if any. */
  readonly narrow?: string;
  /** The expected outcome of the reads after the change: a code, or the content. */
  readonly after: string;
}

const CHANGED: ReadFileErrorCode = "CHANGED";
const OUTSIDE: ReadFileErrorCode = "OUTSIDE_WORKSPACE";

/** All cases, by name. */
export const CASES = {
  "its directory is moved out and replaced by a link": {
    words: "mv ws/a/b out/b; ln -s ../../out/b ws/a/b",
    path: "a/b/f.txt",
    after: OUTSIDE,
  },
  "a directory further up is moved out and replaced by a link": {
    words: "mv ws/a out/a; ln -s ../out/a ws/a",
    path: "a/b/f.txt",
    after: OUTSIDE,
  },
  "the file is moved out and replaced by a link": {
    words: "mv ws/a/b/f.txt out/f.txt; ln -s ../../../out/f.txt ws/a/b/f.txt",
    path: "a/b/f.txt",
    after: OUTSIDE,
  },
  "the root is moved away and replaced by a link": {
    words: "mv ws out/ws; ln -s out/ws ws",
    path: "a/b/f.txt",
    after: CHANGED,
  },
  "the root of a narrowed workspace is moved out and replaced by a link": {
    words: "mv ws/a out/a; ln -s ../out/a ws/a",
    path: "b/f.txt",
    narrow: "a",
    after: CHANGED,
  },
  "the parent of a narrowed workspace is moved out and replaced by a link": {
    words: "mv ws/a out/a; ln -s ../out/a ws/a",
    path: "f.txt",
    narrow: "a/b",
    after: CHANGED,
  },
  "the root is replaced by another directory": {
    words: "mv ws out/ws; mkdir -p ws/a/b; printf SECRET > ws/a/b/f.txt",
    path: "a/b/f.txt",
    after: CHANGED,
  },
  "a narrowed root is replaced by another directory": {
    words: "mv ws/a ws/z; mkdir -p ws/a/b; printf SECRET > ws/a/b/f.txt",
    path: "b/f.txt",
    narrow: "a",
    after: CHANGED,
  },
  "the parent of a narrowed root is replaced by another directory": {
    words: "mv ws/a ws/z; mkdir -p ws/a/b; printf SECRET > ws/a/b/f.txt",
    path: "f.txt",
    narrow: "a/b",
    after: CHANGED,
  },
  "the parent of a narrowed root is replaced, and the root put back": {
    words: "mv ws/a out/a; mkdir ws/a; mv out/a/b ws/a/b",
    path: "f.txt",
    narrow: "a/b",
    after: CHANGED,
  },
  "its directory is moved to a denied path and replaced by a link": {
    words: "mv ws/a ws/secrets; ln -s secrets ws/a",
    path: "a/b/f.txt",
    deny: ["secrets"],
    after: "POLICY_DENIED",
  },
  "it is replaced by a FIFO": {
    words: "rm ws/a/b/f.txt; mkfifo ws/a/b/f.txt",
    path: "a/b/f.txt",
    after: "NOT_A_FILE",
  },
  "it is replaced by a directory": {
    words: "rm ws/a/b/f.txt; mkdir ws/a/b/f.txt",
    path: "a/b/f.txt",
    after: "NOT_A_FILE",
  },
  "it is removed": {
    words: "rm ws/a/b/f.txt",
    path: "a/b/f.txt",
    after: "NOT_FOUND",
  },
  "its directory is moved inside the root and replaced by a link": {
    words: "mv ws/a ws/c; ln -s c ws/a",
    path: "a/b/f.txt",
    after: "INSIDE",
  },
  "it is replaced by another file": {
    words: "printf OTHER > ws/g; mv ws/g ws/a/b/f.txt",
    path: "a/b/f.txt",
    after: "OTHER",
  },
} satisfies Record<string, Case>;

/** One case with one wrapping of the port. */
export interface Order {
  readonly name: keyof typeof CASES;
  readonly wrapping: Wrapping;
  readonly nonBlocking: boolean;
  /** The folder that contains the root and the files outside it. */
  readonly base: string;
}

/** The outcomes of the reads before and after the change. */
export interface Told {
  readonly order: Order;
  readonly before: readonly string[];
  readonly after: readonly string[];
}
