// Our tools: served over MCP, and in this process through the AI SDK.
import {
  definitions,
  gunzipView,
  notebookView,
  openWorkspace,
  readerTools,
  SECRET_FILES,
} from "../../mod.ts";
import { legacyDetector } from "../../detect/mod.ts";
import { HOME } from "../../tests/support/child.ts";
import { serverCommand } from "../../tests/support/mcp.ts";
// Beside it stands our own "ai"; here, one that a peer installs would be found first.
import { playAiSdk } from "../../tests/support/played_loops.ts";
import { mcpArm } from "./mcp.ts";
import type { Arm, ToolCall } from "./player.ts";
import type { Place, Want } from "./tasks.ts";

/** Our server, in a process of its own. */
export async function ourServer(root: string): Promise<Arm> {
  // It may read its own code, to load the detector; a published one loads that from a registry.
  const command = serverCommand([root, HOME], [root]);
  return await mcpArm("ours, over MCP", command, naturalCalls);
}

/** The same tools in a loop of the AI SDK. */
export async function ourToolsInSdk(root: string): Promise<Arm> {
  const workspace = await openWorkspace(root, {
    deny: SECRET_FILES,
    views: [notebookView(), gunzipView()],
    detect: legacyDetector(),
  });
  const tools = readerTools(workspace);
  return {
    name: "ours, in the AI SDK",
    definitions: JSON.stringify(definitions("openai", tools)),
    first: naturalCalls,
    async call({ tool, args }) {
      const named = tools.find(({ definition }) => definition.name === tool);
      return textOf(await playAiSdk(named!, args) as Output);
    },
    end: () => Promise.resolve(),
  };
}

/** Our arguments for what is wanted. */
function naturalCalls(want: Want): ToolCall[] {
  const one = (args: ToolCall["args"]) => [{ tool: "read_file", args }];
  switch (want.kind) {
    case "whole":
      return one({ path: want.path });
    case "lines":
      return one({ path: want.path, start: want.start, count: want.count });
    case "last":
      return one({ path: want.path, tail: want.count });
    case "find": {
      const { path, text: match, after, last: tail, ignoreCase } = want;
      // JSON leaves out what is undefined.
      return one({ path, match, after, tail, ignoreCase });
    }
    case "search":
      return one({ path: want.path, match: want.text });
    case "places":
      return [{
        tool: "read_files",
        args: { files: want.places.map(placeOf) },
      }];
    case "list":
      return [{
        tool: "list_directory",
        args: { path: want.path, glob: want.glob },
      }];
  }
}

function placeOf({ path, start, count }: Place) {
  return start === undefined
    ? `${path}:-${count}`
    : `${path}:${start}-${start + count - 1}`;
}

/** The output of a tool as the SDK sends it to a model. */
interface Output {
  readonly type: string;
  readonly value: string | readonly SdkPart[];
}

interface SdkPart {
  readonly type: string;
  readonly text?: string;
  readonly mediaType?: string;
}

function textOf({ value }: Output): string {
  if (typeof value === "string") return value;
  return value.map(({ type, text, mediaType }) =>
    type === "text" ? text : `[${mediaType}]`
  ).join("\n");
}
