// Read tools of other projects: each in a process of its own, since one may hang.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LineChild } from "./line_child.ts";
import { mcpArm } from "./mcp.ts";
import { type Answer, ANSWER_MS, type Arm, type ToolCall } from "./player.ts";
import type { Want } from "./tasks.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** A package from npm, in the folder of this task. */
interface Peer {
  readonly package: string;
  readonly title: string;
  open(title: string, root: string): Promise<Arm>;
}

/** The peers, as they are installed by `deno task bench:played:install`. */
export const PEERS: readonly Peer[] = [
  {
    package: "@modelcontextprotocol/server-filesystem",
    title: "reference MCP server",
    open: (title, root) => {
      const program = join(
        HERE,
        "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
      );
      return mcpArm(
        title,
        ["node", program, root],
        (want) => referenceCalls(want, root),
      );
    },
  },
  {
    package: "@anthropic-ai/sdk",
    title: "Anthropic SDK, read",
    open: (title, root) =>
      childArm(title, "anthropic", root, ({ path, start, end }) => ({
        file_path: path,
        ...(start !== undefined && { view_range: [start, end] }),
      })),
  },
  {
    package: "@earendil-works/pi-coding-agent",
    title: "pi, read",
    open: (title, root) =>
      childArm(title, "pi", root, ({ path, start, count }) => ({
        path,
        offset: start,
        limit: count,
      })),
  },
  {
    package: "@google/gemini-cli-core",
    title: "Gemini CLI, read_file",
    open: (title, root) =>
      childArm(title, "gemini", root, ({ path, start, end }) => ({
        file_path: path,
        start_line: start,
        end_line: end,
      })),
  },
];

/** The installed version of a peer; `undefined` if it is not installed. */
export function versionOf({ package: name }: Peer): string | undefined {
  const facts = join(HERE, "node_modules", name, "package.json");
  if (!existsSync(facts)) return undefined;
  return JSON.parse(readFileSync(facts, "utf8")).version;
}

/** The reference server reads the first lines, the last lines, or all of them; and lists. */
function referenceCalls(want: Want, root: string): ToolCall[] {
  const read = (path: string, rest = {}) => ({
    tool: "read_text_file",
    args: { path: join(root, path), ...rest },
  });
  switch (want.kind) {
    case "lines":
      return [read(want.path, { head: want.start + want.count - 1 })];
    case "last":
      return [read(want.path, { tail: want.count })];
    case "places":
      return want.places.map(({ path, start, count }) =>
        read(
          path,
          start === undefined ? { tail: count } : { head: start + count - 1 },
        )
      );
    case "list":
      return [{
        tool: "search_files",
        args: { path: join(root, want.path), pattern: want.glob },
      }];
    case "search":
      return [];
    default:
      return [read(want.path)];
  }
}

/** How long a peer may take to load. */
const LOAD_MS = 60_000;

/** Lines that a tool without a search reads; all of them without `start`. */
interface Range {
  readonly path: string;
  readonly start?: number | undefined;
  readonly count?: number | undefined;
  readonly end?: number | undefined;
}

/** Starts a tool of one file in Node.js, and again after a call that it did not answer. */
async function childArm(
  title: string,
  tool: string,
  root: string,
  argsOf: (range: Range) => ToolCall["args"],
): Promise<Arm> {
  let child = new Child(tool, root);
  const definitions = await child.ask({});
  const read = ({ path, start, count }: Range): ToolCall => ({
    tool: "read",
    args: argsOf(
      start === undefined || count === undefined
        ? { path }
        : { path, start, count, end: start + count - 1 },
    ),
  });
  return {
    name: title,
    definitions: definitions ?? "",
    first(want) {
      if (want.kind === "list" || want.kind === "search") return [];
      if (want.kind === "places") return want.places.map(read);
      // Who cannot search or count from the end begins at the beginning.
      return [want.kind === "lines" ? read(want) : read({ path: want.path })];
    },
    async call({ args }) {
      const answer = await child.ask({ args });
      if (answer !== undefined) return answer;
      child.end();
      child = new Child(tool, root);
      await child.ask({});
      return undefined;
    },
    end: () => Promise.resolve(child.end()),
  };
}

/** A process with one tool. */
class Child {
  readonly #child: LineChild;

  constructor(tool: string, root: string) {
    const program = join(HERE, "peer.mjs");
    this.#child = new LineChild(["node", program, tool, root]);
  }

  async ask(message: object): Promise<Answer> {
    this.#child.send(message);
    // Loading a peer may take longer than an answer.
    const most = "args" in message ? ANSWER_MS : LOAD_MS;
    // Peers write lines of their own, too.
    return await this.#child.wait(
      (line) =>
        line.startsWith('{"answer":')
          ? JSON.parse(line).answer as string
          : undefined,
      most,
    );
  }

  end(): void {
    this.#child.end();
  }
}
