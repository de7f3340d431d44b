/** The outcome of a port's calls: a kind or an error code. */
import { assertEquals, assertInstanceOf } from "@std/assert";
import type { Awaitable, FsPort } from "../../mod.ts";

/** The kind of the file that `open` gives for `path`, or the code of the failure. */
export async function kindOpened(fs: FsPort, path: string): Promise<string> {
  try {
    const handle = await fs.open(path);
    const { kind } = await handle.stat();
    await handle.close();
    return kind;
  } catch (error) {
    return codeOf(error);
  }
}

/** Fails unless `ask` fails with `code`. */
export async function assertCode(
  ask: () => Awaitable<unknown>,
  code: string,
): Promise<void> {
  let answer: unknown;
  try {
    answer = await ask();
  } catch (error) {
    return assertEquals(codeOf(error), code);
  }
  throw new Error(`expected ${code}, but got ${JSON.stringify(answer)}`);
}

function codeOf(error: unknown): string {
  assertInstanceOf(error, Error);
  return String((error as { readonly code?: unknown }).code);
}
