/** The tool under test, and its arguments. */
import { assert, assertRejects } from "@std/assert";
import {
  createOpenFile,
  type MemoryFiles,
  memoryFs,
  OpenFileError,
  type OpenFileOptions,
  openWorkspace,
  ReadFileError,
  type Tool,
} from "../../mod.ts";
import { cutFs } from "./cuts.ts";

/** 1 MiB. */
export const MIB = 1024 * 1024;

/** The arguments of a call. */
export type Args = Readonly<Record<string, unknown>>;

/** The tool in a workspace in which `a.txt` has this content; a read gives at most `most` bytes. */
export async function toolFor(
  content: MemoryFiles[string],
  options: OpenFileOptions = {},
  most = 64 * 1024,
): Promise<Tool<string>> {
  const fs = memoryFs({
    "/ws/a.txt": content,
    "/ws/dir/b.txt": "b\n",
    "/ws/device": { kind: "other" },
    "/ws/out": { link: "/secret" },
    "/ws/loop": { link: "loop" },
    "/secret": "secret\n",
  });
  const workspace = await openWorkspace("/ws", { fs: cutFs(fs, most) });
  return createOpenFile(workspace, options);
}

/** The arguments for lines `start` to `end` of the file. */
export function range(start?: unknown, end?: unknown): Args {
  return { file_path: "a.txt", start_line: start, end_line: end };
}

/** The error of a call that must fail. */
export async function failureOf(
  tool: Tool<string>,
  args: unknown,
  signal?: AbortSignal,
): Promise<OpenFileError> {
  const error = await assertRejects(
    () => tool.call(args, { signal }),
    OpenFileError,
  );
  assert(error instanceof ReadFileError);
  return error;
}

/** Concatenates texts and byte values. */
export function bytes(
  ...parts: readonly (string | readonly number[])[]
): Uint8Array {
  const encoder = new TextEncoder();
  return Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "string" ? [...encoder.encode(part)] : [...part]
    ),
  );
}
