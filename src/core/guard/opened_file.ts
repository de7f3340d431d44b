// Runtime-agnostic.
import { orElse, whenThere } from "../awaitable.ts";
import type { Call } from "../call.ts";
import { changeOf } from "../change.ts";
import { fromPort } from "./errno.ts";
import { ReadFileError } from "../errors.ts";
import {
  type Awaitable,
  type FileHandle,
  type FileStat,
  isPromise,
} from "../port.ts";

/**
 * A file that was opened through a workspace, and is known to lie inside it.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, type OpenedFile, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "hello" });
 * const workspace = await openWorkspace("/repo", { fs });
 * await using file: OpenedFile = await workspace.open("./a.txt");
 * assertEquals(file.path, "a.txt");
 * assertEquals(await file.read(new Uint8Array(3), 2), 3);
 * ```
 */
export class OpenedFile implements AsyncDisposable {
  /** The path that was asked for, from the root, with neither `.` nor `..`. */
  readonly path: string;
  /** What the file was when it was opened. */
  readonly stat: FileStat;
  readonly #call: Call;
  readonly #handle: FileHandle;
  #open = true;

  /**
   * Constructs a new instance; {@linkcode Workspace.open} is the way to one.
   *
   * @param path The path from the root.
   * @param stat What the file was when it was opened.
   * @param handle The open file.
   * @param call The call it was opened for.
   */
  constructor(path: string, stat: FileStat, handle: FileHandle, call: Call) {
    this.path = path;
    this.stat = stat;
    this.#handle = handle;
    this.#call = call;
  }

  /**
   * Reads into `buffer`; fewer bytes than it holds may come.
   *
   * @param buffer Where the bytes go.
   * @param position The byte of the file to begin at.
   * @returns How many bytes came; `0` only at the end of the file.
   */
  read(buffer: Uint8Array, position: number): Awaitable<number> {
    this.#refuseClosed();
    this.#call.check();
    return this.#ask(() => this.#handle.read(buffer, position));
  }

  /**
   * Fails with `CHANGED` if what was read may not be one version of the file.
   *
   * A file that only grew is fine: no byte past its size at opening is read.
   *
   * @returns Whether it is as it was; or `"larger"`: appended to, or written over by
   * more; or `"touched"`: renamed, say, or written over and its time set back.
   */
  checkUnchanged(): Awaitable<"same" | "larger" | "touched"> {
    this.#refuseClosed();
    return whenThere(this.#ask(() => this.#handle.stat()), (now) => {
      const change = changeOf(this.stat, now);
      if (change === "shrank" || change === "rewritten") {
        throw this.changed(change);
      }
      return change;
    });
  }

  /**
   * Makes the failure of a file that changed while it was read.
   *
   * @param how What changed.
   * @returns The failure.
   */
  changed(how: "shrank" | "rewritten"): ReadFileError<"CHANGED"> {
    return new ReadFileError("CHANGED", this.#call.path, { how });
  }

  /**
   * Closes the file; a second time does nothing.
   *
   * @returns Nothing.
   */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      const closing = this.#call.wait(this.#handle.close());
      if (isPromise(closing)) await closing;
    } catch (error) {
      const failure = fromPort(error, this.#call.path);
      // A caller who has given up does not wait for this either.
      if (!failure.is("ABORTED")) throw failure;
    }
  }

  /**
   * Closes the file at the end of an `await using` block.
   *
   * @returns Nothing.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The number of a closed file may by now be that of another, anywhere. */
  #refuseClosed(): void {
    if (!this.#open) throw new TypeError("Cannot read a file that is closed");
  }

  #ask<T>(question: () => Awaitable<T>): Awaitable<T> {
    return orElse(() => this.#call.wait(question()), (error) => {
      throw fromPort(error, this.#call.path);
    });
  }
}
