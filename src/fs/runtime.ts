// Deno, Bun and Node.js: the parts of them that the disk needs.

export interface NodeKind {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export interface NodeStats extends NodeKind {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export type NodeEntry = NodeKind & { readonly name: string };

type Into = [into: Uint8Array, offset: number, length: number, from: number];

interface NodeFile {
  readonly fd: number;
  stat(): Promise<NodeStats>;
  read(...into: Into): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/** The module `node:fs`. */
export interface NodeFs {
  readonly constants: Readonly<Record<string, number | undefined>>;
  readonly promises: {
    realpath(path: string): Promise<string>;
    lstat(path: string): Promise<NodeStats>;
    readlink(path: string): Promise<string>;
    open(path: string, flags: number): Promise<NodeFile>;
    opendir(path: string): Promise<AsyncIterable<NodeEntry>>;
  };
  realpathSync: { native(path: string): string };
  lstatSync(path: string): NodeStats;
  fstatSync(fd: number): NodeStats;
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
    querySync(of: { name: "read"; path: string }): { readonly state: string };
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
