/** A small disk on which one call fails, or during which the file changes. */
import type {
  Awaitable,
  FileHandle,
  FileKind,
  FileStat,
  FsPort,
} from "../../mod.ts";
import { failure } from "./fake_fs.ts";

/** The calls of the port once a workspace is open. */
export type Verb =
  | "lstat"
  | "readLink"
  | "open"
  | "stat"
  | "path"
  | "read"
  | "close";

/** How the file changes. */
export type Change =
  | "grows"
  | "shrinks"
  | "is replaced"
  | "is removed"
  | "is rewritten"
  | "is rewritten by more"
  | "is rewritten by less";

/** All ways in which the file changes. */
export const CHANGES: readonly Change[] = [
  "grows",
  "shrinks",
  "is replaced",
  "is removed",
  "is rewritten",
  "is rewritten by more",
  "is rewritten by less",
];

/** The fault of one call. */
export type Fault =
  | {
    readonly kind: "fails";
    readonly code: string;
    readonly how: "throws" | "rejects";
  }
  /** A read returns one byte. */
  | { readonly kind: "is short" }
  /** A read returns 0, as at the end of a file. */
  | { readonly kind: "is empty" }
  /** The call stalls until it is released. */
  | { readonly kind: "stalls" }
  /** `deed` runs just before the call returns. */
  | { readonly kind: "meets"; readonly deed: () => void };

/** Whether the port returns values or promises. */
export type Answers = "at once" | "later";

/** The path of the file, through a link to `d/f.txt`. */
export const FAULTY_PATH = "l";

const FILE = "/ws/d/f.txt";

/** The content of an open file, which survives a rename. */
interface Inode {
  readonly id: string;
  bytes: Uint8Array;
  mtimeMs: number;
}

/** A workspace `/ws` with one file, and planned faults. */
export class FaultyDisk {
  /** Every call since the last plan, in order. */
  readonly calls: Verb[] = [];
  /** How many times each opened file was closed. */
  readonly closes: number[] = [];
  /** The port. */
  readonly port: FsPort;
  readonly #answers: Answers;
  #file: Inode | undefined;
  #plan: (verb: Verb, number: number) => Fault | undefined = () => undefined;
  #stalled: { release(): void } | undefined;
  #onStall: (() => void) | undefined;

  constructor(bytes: Uint8Array, answers: Answers = "at once") {
    this.#answers = answers;
    this.#file = { id: "first", bytes, mtimeMs: 1 };
    this.port = {
      realPath: (path) => path,
      lstat: (path) => this.#ask("lstat", () => this.#lstat(path)),
      readLink: (path) => this.#ask("readLink", () => readLink(path)),
      open: (path) => this.#ask("open", () => this.#open(path)),
    };
  }

  /** Restarts the count of calls; `plan` returns the fault of a call, if any. */
  plan(plan: (verb: Verb, number: number) => Fault | undefined): void {
    this.calls.length = 0;
    this.#plan = plan;
  }

  /** The content of the file at the path; `undefined` if it is missing. */
  get bytes(): Uint8Array | undefined {
    return this.#file?.bytes;
  }

  /** Changes the file; `other` is its longer replacement. */
  change(change: Change, other: Uint8Array): void {
    const file = this.#file;
    if (file === undefined) return;
    const { length } = file.bytes;
    if (change === "is removed") this.#file = undefined;
    else if (change === "is replaced") {
      this.#file = { id: "other", bytes: other, mtimeMs: file.mtimeMs + 1 };
    } else {
      file.mtimeMs++;
      file.bytes = {
        "grows": () => join(file.bytes, other.slice(0, length >> 1)),
        "shrinks": () => file.bytes.slice(0, length >> 1),
        "is rewritten": () => other.slice(0, length),
        "is rewritten by more": () => other,
        "is rewritten by less": () => other.slice(0, length >> 1),
      }[change]();
    }
  }

  /** Resolves once a call stalls. */
  stall(): Promise<void> {
    return new Promise((resolve) => this.#onStall = resolve);
  }

  /** Releases the stalled call. */
  release(): void {
    this.#stalled?.release();
  }

  #lstat(path: string): FileStat {
    const kind = KINDS[path];
    if (kind !== undefined) return { ...NOTHING, kind, id: path };
    if (path !== FILE || this.#file === undefined) throw failure("ENOENT");
    return describe(this.#file);
  }

  #open(path: string): FileHandle {
    const file = this.#file;
    if (path !== FILE || file === undefined) throw failure("ENOENT");
    const number = this.closes.push(0) - 1;
    return {
      stat: () => this.#ask("stat", () => describe(file)),
      path: () => this.#ask("path", () => path),
      read: (buffer, position) =>
        this.#ask("read", (fault) => read(file, buffer, position, fault)),
      close: () => {
        // Count also a close that fails or stalls.
        this.closes[number]!++;
        return this.#ask("close", () => {});
      },
    };
  }

  #ask<T>(verb: Verb, work: (fault?: Fault) => T): Awaitable<T> {
    const fault = this.#plan(verb, this.calls.push(verb) - 1);
    if (fault?.kind === "fails") {
      const error = failure(fault.code);
      if (fault.how === "throws") throw error;
      return Promise.reject(error);
    }
    if (fault?.kind === "stalls") {
      const released = new Promise<void>((resolve) =>
        this.#stalled = { release: resolve }
      );
      this.#onStall?.();
      return released.then(() => work(fault));
    }
    const answer = () => {
      if (fault?.kind === "meets") fault.deed();
      return work(fault);
    };
    return this.#answers === "at once"
      ? answer()
      : Promise.resolve().then(answer);
  }
}

const KINDS: Readonly<Record<string, FileKind>> = {
  "/ws": "directory",
  "/ws/d": "directory",
  [`/ws/${FAULTY_PATH}`]: "symlink",
};

const NOTHING = { size: 0, mtimeMs: 0, ctimeMs: 0 };

function describe({ bytes, mtimeMs, id }: Inode): FileStat {
  const size = bytes.length;
  return { kind: "file", size, mtimeMs, ctimeMs: mtimeMs, id };
}

function readLink(path: string): string {
  if (KINDS[path] !== "symlink") throw failure("EINVAL");
  return "d/f.txt";
}

function read(
  { bytes }: Inode,
  buffer: Uint8Array,
  position: number,
  fault: Fault | undefined,
): number {
  const short = { "is short": 1, "is empty": 0 } as const;
  const most = fault?.kind === "is short" || fault?.kind === "is empty"
    ? short[fault.kind]
    : Infinity;
  const length = Math.min(most, buffer.length);
  const some = bytes.subarray(position, position + length);
  buffer.set(some);
  return some.length;
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
