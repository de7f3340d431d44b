// Read tools of other projects, from npm; see package.json in this folder.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "./tools.ts";

/** How much of a file a peer reads. */
export type PeerTask = "page" | "head" | "whole";

/** An installed peer. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  /** Reads a page; depending on `task`, it reads more than the page. */
  readonly calls: readonly PeerCall[];
}

/** One way to read with a peer. */
export interface PeerCall {
  readonly name: string;
  /** What it can read: the page, the first lines, or the whole file. */
  readonly task: PeerTask;
  /** Loads the peer, and prepares it to read a page. */
  prepare(page: Page): Promise<() => Promise<unknown>>;
}

interface Recipe {
  readonly name: string;
  /** Its name in the results. */
  readonly short: string;
  /** The file to import, if importing the entry point would start a server. */
  readonly file: string;
  readonly calls: Readonly<Record<string, Call>>;
}

interface Call {
  readonly task: PeerTask;
  make(module: unknown, page: Page): () => Promise<unknown>;
}

interface McpFiles {
  setAllowedDirectories(directories: readonly string[]): void;
  validatePath(path: string): Promise<string>;
  headFile(path: string, lines: number): Promise<string>;
  readFileContent(path: string): Promise<string>;
}

interface Pi {
  createReadTool(folder: string): {
    execute(id: string, args: unknown): Promise<unknown>;
  };
}

interface Cline {
  createDefaultExecutors(): {
    readFile(request: unknown, context: unknown): Promise<unknown>;
  };
}

interface AnthropicTools {
  betaReadTool(options: { workdir: string }): {
    run(args: unknown): Promise<unknown>;
  };
}

interface JustBash {
  readonly OverlayFs: new (options: { root: string; mountPoint: string }) => {
    readFile(path: string): Promise<string>;
  };
}

const RECIPES: readonly Recipe[] = [
  {
    name: "@modelcontextprotocol/server-filesystem",
    short: "MCP filesystem",
    file: "dist/lib.js",
    calls: {
      headFile: {
        task: "head",
        make(module, { root, path, start, end }) {
          const files = module as McpFiles;
          files.setAllowedDirectories([root]);
          const asked = join(root, path);
          const count = end - start + 1;
          return async () =>
            await files.headFile(await files.validatePath(asked), count);
        },
      },
      readFileContent: {
        task: "whole",
        make(module, { root, path }) {
          const files = module as McpFiles;
          files.setAllowedDirectories([root]);
          const asked = join(root, path);
          return async () =>
            await files.readFileContent(await files.validatePath(asked));
        },
      },
    },
  },
  {
    name: "@mariozechner/pi-coding-agent",
    short: "pi",
    file: "dist/index.js",
    calls: {
      createReadTool: {
        task: "page",
        make(module, { root, path, start, end }) {
          const tool = (module as Pi).createReadTool(root);
          const args = { path, offset: start, limit: end - start + 1 };
          return () => tool.execute("1", args);
        },
      },
    },
  },
  {
    name: "@cline/core",
    short: "Cline",
    file: "dist/index.js",
    calls: {
      readFile: {
        task: "page",
        make(module, { root, path, start, end }) {
          const executors = (module as Cline).createDefaultExecutors();
          const request = {
            path: join(root, path),
            start_line: start,
            end_line: end,
          };
          return () => executors.readFile(request, {});
        },
      },
    },
  },
  {
    name: "@anthropic-ai/sdk",
    short: "Anthropic SDK",
    file: "tools/agent-toolset/node.mjs",
    calls: {
      betaReadTool: {
        task: "page",
        make(module, { root, path, start, end }) {
          const tool = (module as AnthropicTools).betaReadTool({
            workdir: root,
          });
          const args = { file_path: path, view_range: [start, end] };
          return () => tool.run(args);
        },
      },
    },
  },
  {
    name: "just-bash",
    short: "just-bash",
    file: "dist/bundle/index.js",
    calls: {
      "OverlayFs.readFile": {
        task: "whole",
        make(module, { root, path }) {
          const { OverlayFs } = module as JustBash;
          const overlay = new OverlayFs({ root, mountPoint: "/ws" });
          return () => overlay.readFile(join("/ws", path));
        },
      },
    },
  },
];

/** The peers below `folder`, and the names of missing peers. */
export function findPeers(
  folder: string = fileURLToPath(new URL(".", import.meta.url)),
): { readonly found: readonly Peer[]; readonly missing: readonly string[] } {
  const found: Peer[] = [];
  const missing: string[] = [];
  for (const recipe of RECIPES) {
    const home = join(folder, "node_modules", recipe.name);
    const facts = join(home, "package.json");
    if (!existsSync(facts)) missing.push(recipe.name);
    else found.push(toPeer(recipe, home, readFileSync(facts, "utf8")));
  }
  return { found, missing };
}

function toPeer(
  { name, short, file, calls }: Recipe,
  home: string,
  facts: string,
): Peer {
  const { version } = JSON.parse(facts) as { version: string };
  const load = (): Promise<unknown> =>
    import(pathToFileURL(join(home, file)).href);
  return {
    name,
    version,
    calls: Object.entries(calls).map(([call, { task, make }]) => ({
      name: `${short} ${call}`,
      task,
      prepare: async (page) => make(await load(), page),
    })),
  };
}
