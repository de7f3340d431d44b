/** The toolkit under test, and its arguments. */
import { assert, assertRejects } from "@std/assert";
import {
  createAgentToolkit,
  createToolkitReadFile,
  type FsPort,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
  type ReadFileError,
  type Tool,
  ToolkitReadFileError,
  type ToolkitReadFileOutput,
  type ToolMaker,
  type ToolPolicy,
  type ToolResult,
} from "../../mod.ts";
import { TOOLKIT_MAX_FILE_BYTES } from "../../src/tools/toolkit_read_file.ts";
import { cutFs } from "./cuts.ts";

/** The toolkit's `read_file` in the workspace `/ws` of a port. */
export async function toolOn(
  fs: FsPort,
): Promise<Tool<ToolkitReadFileOutput>> {
  return createToolkitReadFile(await openWorkspace("/ws", { fs }));
}

/** The tool where `a.txt` has this content; a read gives at most `most` bytes. */
export function toolFor(content: MemoryFiles[string], most = 64 * 1024) {
  return toolOn(cutFs(memoryFs({ "/ws/a.txt": content }), most));
}

/** Lines `line-1` to `line-<count>`, joined by LF. */
export function numbered(count: number): string {
  return Array.from({ length: count }, (_, at) => `line-${at + 1}`).join("\n");
}

/** The error of a call of that tool. */
export async function refusal(
  content: MemoryFiles[string],
  args: unknown,
): Promise<ToolkitReadFileError> {
  const tool = await toolFor(content);
  return await assertRejects(() => tool.call(args), ToolkitReadFileError);
}

/** The core's code of that error, and the tool's code. */
export async function codesOf(
  content: MemoryFiles[string],
  args: unknown,
): Promise<[ReadFileError["code"], ToolkitReadFileError["toolkitCode"]]> {
  const { code, toolkitCode } = await refusal(content, args);
  return [code, toolkitCode];
}

/** A port whose open files report another size or time from the second `stat` on. */
export function changingFs(
  fs: FsPort,
  change: { readonly size?: number; readonly mtimeMs?: number },
): FsPort {
  let looks = 0;
  return {
    realPath: (path) => fs.realPath(path),
    lstat: (path, role) => fs.lstat(path, role),
    readLink: (path) => fs.readLink(path),
    async open(path) {
      const handle = await fs.open(path);
      return {
        path: () => handle.path(),
        read: (buffer, position) => handle.read(buffer, position),
        close: () => handle.close(),
        async stat() {
          const stat = await handle.stat();
          return looks++ === 0 ? stat : { ...stat, ...change };
        },
      };
    },
  };
}

/** A workspace, and files outside it. */
export const FILES = {
  "/ws/a.txt": "one\ntwo\nthree\n",
  "/ws/dir/b.txt": "b",
  "/ws/binary": Uint8Array.of(0x41, 0x00, 0x42),
  "/ws/large": "x".repeat(TOOLKIT_MAX_FILE_BYTES + 1),
  "/ws/link": { link: "../out/secret.txt" },
  "/ws/absolute": { link: "/out/secret.txt" },
  "/ws/away": { link: "/out" },
  "/ws/loop": { link: "loop" },
  "/out/secret.txt": "secret",
  "/out/Policy.txt": "secret",
};

/** A toolkit in that workspace. */
export function toolkit(policy: ToolPolicy<"read_file" | "open_file"> = {}) {
  const fs = memoryFs(FILES);
  return createAgentToolkit({ workspaceRoot: "/ws", fs, policy });
}

/** The status, reason and code of a result, as text. */
export function summary(result: ToolResult): string {
  return result.status === "success"
    ? "success"
    : `${result.status} ${result.reason} ${result.error.code}`;
}

/** The error of a result that is not a success. */
export function errorOf(result: ToolResult) {
  assert(result.status !== "success");
  return result.error;
}

/** A port whose `lstat` of `a.txt` fails. */
export function failingFs(failure: unknown): FsPort {
  const fs = memoryFs(FILES);
  return {
    ...fs,
    lstat(path, role) {
      if (path === "/ws/a.txt") throw failure;
      return fs.lstat(path, role);
    },
  };
}

/** A tool with a given behavior. */
export function toolNamed(
  name: string,
  aliases: readonly string[] = [],
  call: Tool["call"] = (args) => Promise.resolve(args),
): ToolMaker {
  const parameters = { type: "object", required: ["file"] };
  const definition = { name, description: `Is ${name}.`, parameters };
  return () => ({ definition, aliases, call, render: String });
}
