// The parts of Deno, Bun and Node.js that the disk needs.

export interface NodeKind {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export interface NodeStats extends NodeKind {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  // Some runtimes leave these out.
  isFIFO?(): boolean;
  isSocket?(): boolean;
  isCharacterDevice?(): boolean;
  isBlockDevice?(): boolean;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Stats that numbers cannot hold. */
export interface NodeExactStats extends NodeKind {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

type Exact = { readonly bigint: true };

export type NodeEntry = NodeKind & { readonly name: string };

type Into = [into: Uint8Array, offset: number, length: number, from: number];

interface NodeFile {
  readonly fd: number;
  stat(exact?: Exact): Promise<NodeStats | NodeExactStats>;
  read(...into: Into): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/** The module `node:fs`. */
export interface NodeFs {
  readonly constants: Readonly<Record<string, number | undefined>>;
  readonly promises: {
    realpath(path: string): Promise<string>;
    lstat(path: string, exact?: Exact): Promise<NodeStats | NodeExactStats>;
    readlink(path: string): Promise<string>;
    open(path: string, flags: number): Promise<NodeFile>;
    opendir(path: string): Promise<AsyncIterable<NodeEntry>>;
  };
  realpathSync: { native(path: string): string };
  lstatSync(path: string, exact?: Exact): NodeStats | NodeExactStats;
  fstatSync(fd: number, exact?: Exact): NodeStats | NodeExactStats;
  readlinkSync(path: string): string;
  openSync(path: string, flags: number): number;
  readSync(fd: number, ...into: Into): number;
  closeSync(fd: number): void;
  opendirSync(path: string): NodeDirectory;
}

export type NodeDirectory = { readSync(): NodeEntry | null; closeSync(): void };

/** The module `node:timers`. */
export type NodeTimers = { setImmediate(resolve: () => void): unknown };

export interface DenoKind {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymlink: boolean;
}

export interface DenoInfo extends DenoKind {
  /** On Windows, this and the next ones are `null`. */
  readonly isFifo?: boolean | null;
  readonly isSocket?: boolean | null;
  readonly isCharDevice?: boolean | null;
  readonly isBlockDevice?: boolean | null;
  readonly size: number;
  readonly mtime: Date | null;
  readonly ctime: Date | null;
  readonly dev: number;
  readonly ino: number | null;
}

type DenoEntry = DenoKind & { readonly name: string };

/** The namespace `Deno`. */
export interface DenoHost {
  readonly build: { readonly os: string };
  readonly permissions: {
    querySync(of: { name: "read"; path?: string }): { readonly state: string };
  };
  memoryUsage(): { readonly rss: number };
  lstatSync(path: string): DenoInfo;
  statSync(path: string): DenoInfo;
  readLinkSync(path: string): string;
  readDir(path: string): AsyncIterable<DenoEntry>;
}

/** The global object of a runtime; each part may be missing. */
export interface Runtime {
  readonly Deno?: DenoHost;
  readonly navigator?: { readonly userAgent?: string };
  readonly process?: {
    readonly platform?: string;
    readonly release?: { readonly name?: string };
    readonly versions?: { readonly node?: string };
    getBuiltinModule?(name: "node:fs"): NodeFs | undefined;
    getBuiltinModule?(name: "node:timers"): NodeTimers | undefined;
  };
}
