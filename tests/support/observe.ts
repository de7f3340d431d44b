/** Everything that a caller can observe of a call, as text. */
import {
  type Awaitable,
  createAgentToolkit,
  respond,
  type Tool,
  type Workspace,
} from "../../mod.ts";
import { FOUR_TOOLS } from "./four_tools.ts";

/** The result of a call, or its error with all properties and the cause. */
export async function observe(work: () => Awaitable<unknown>): Promise<string> {
  try {
    return String(JSON.stringify(await work(), spell));
  } catch (error) {
    return `fails: ${JSON.stringify(spellError(error as Error))}`;
  }
}

/** The observations of every way to read a path; `root` is the root of the workspace. */
export async function observeEveryWay(
  workspace: Workspace,
  path: string,
  root = "/ws",
): Promise<Readonly<Record<string, string>>> {
  const ways: Record<string, () => Awaitable<unknown>> = {
    readFile: () => workspace.read(path),
    stack: () => workspace.read(path).then(() => "", stackOf),
    read: () => workspace.read(path),
    narrow: () => workspace.narrow({ root: path }).then(() => "a directory"),
    async open() {
      await using file = await workspace.open(path);
      return file;
    },
  };
  for (const { name, pathName, make } of FOUR_TOOLS) {
    const tool: Tool = make(workspace);
    const asked = name === "CodexReadFile" ? wholePath(root, path) : path;
    const args = { [pathName]: asked };
    ways[`${name}.call`] = () => tool.call(args);
    ways[`${name}.respond`] = () => respond(tool, args);
  }
  const toolkit = await createAgentToolkit({ workspace });
  ways["toolkit.readFile"] = () => toolkit.readFile(path);
  ways["toolkit.openFile"] = () => toolkit.openFile(path);
  const all: Record<string, string> = {};
  for (const [name, way] of Object.entries(ways)) {
    all[name] = await observe(way);
  }
  return all;
}

/** Makes a relative path absolute, as Codex requires. */
export function wholePath(root: string, path: unknown): unknown {
  const isShort = typeof path === "string" && /^[^/]/.test(path);
  return isShort ? `${root}/${path}` : path;
}

/** The stacks of an error and of its cause, reduced to the frames of this library. */
function stackOf({ stack, cause }: Error): unknown {
  return [stack, (cause as Error | undefined)?.stack].map((text) =>
    text?.split("\n")
      .filter((line) => !/^\s+at /.test(line) || line.includes("/src/"))
      // On a busy machine the walk may yield, which marks a frame as "async".
      .map((line) => line.replace(" at async ", " at ").replace(/:\d+\)$/, ")"))
  );
}

function spell(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Array.from(value);
  return value instanceof Error ? spellError(value) : value;
}

function spellError(error: Error): object {
  const { message, cause } = error;
  const spelt = cause instanceof Error ? spellError(cause) : cause;
  return { class: error.constructor.name, ...error, message, cause: spelt };
}
