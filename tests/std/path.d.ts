// Types of the used part of @std/path and its posix module.

export interface GlobOptions {
  extended?: boolean;
  globstar?: boolean;
  caseInsensitive?: boolean;
}

export function basename(path: string | URL, suffix?: string): string;
export function dirname(path: string | URL): string;
export function extname(path: string | URL): string;
export function fromFileUrl(url: string | URL): string;
export function globToRegExp(glob: string, options?: GlobOptions): RegExp;
export function isAbsolute(path: string): boolean;
export function isGlob(text: string): boolean;
export function join(path?: string | URL, ...paths: string[]): string;
export function normalize(path: string | URL): string;
export function relative(from: string, to: string): string;
export function resolve(...paths: string[]): string;
export function toFileUrl(path: string): URL;
