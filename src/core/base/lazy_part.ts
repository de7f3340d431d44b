import { ReadFileError } from "./errors.ts";

/** The check before a part of this library is loaded: it throws if no file can be opened now; `denoFs` sets it. */
export const loading = { check() {} };

/** Returns a function that loads a part of this library, once; if loading fails, the read of its `path` fails with `IO`. */
export function lazyPart<Part>(load: () => Promise<Part>) {
  let part: Part | undefined;
  return async (path: string): Promise<Part> => {
    try {
      if (part === undefined) loading.check();
      return part ??= await load();
    } catch (cause) {
      // Most likely too many files are open.
      const details = { errno: null, passing: true };
      throw new ReadFileError("IO", path, details, { cause });
    }
  };
}
