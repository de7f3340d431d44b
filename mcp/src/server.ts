// Runtime-agnostic.
import {
  type FsPort,
  hostFs,
  ReadFileError,
  SECRET_FILES,
} from "@agent-tools/read-file";
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import config from "../deno.json" with { type: "json" };
import {
  boundsFor,
  DEFAULT_MAX_CHARS,
  LEAST_MAX_CHARS,
  MOST_MAX_CHARS,
} from "./bounds.ts";
import { ClientRoots, ClientScope } from "./client_roots.ts";
import { type Dialect, dialectTool } from "./dialects.ts";
import { Directories, openRoots, type Served } from "./directories.ts";
import { failureOf } from "./failure.ts";
import { instructionsOf, pathRuleOf } from "./instructions.ts";
import { listDirectoryTool } from "./list_directory.ts";
import { Progress } from "./progress.ts";
import { readFileTool } from "./read_file.ts";
import { readFilesTool } from "./read_files.ts";
import type { Json, ServedTool } from "./served_tool.ts";
import { Versions } from "./versions.ts";

/** What the server is to serve. */
export interface ServerOptions {
  /** The directories that may be read; the client's roots if there are none. */
  readonly directories: readonly string[];
  /** What may be read where there are neither directories nor roots. */
  readonly fallback?: string | undefined;
  /** Whether the client's roots narrow the directories; by default they only say where relative paths begin. */
  readonly followRoots?: boolean | undefined;
  /** Serves one of the four tools under its own name, instead of our own. */
  readonly dialect?: Dialect | undefined;
  /** Whether files that commonly hold secrets may be read; they may not by default. */
  readonly allowSecrets?: boolean | undefined;
  /** Globs of further paths that may not be read. */
  readonly deny?: readonly string[] | undefined;
  /** The most characters of an answer, and of what a call may ask for; 20,000 by default. */
  readonly maxChars?: number | undefined;
  /** Whether answers hold facts for programs beside the words; they do not by default. */
  readonly facts?: boolean | undefined;
  /** The file system; the runtime's own disk by default. */
  readonly fs?: FsPort | undefined;
  /** Takes what there is to say to whoever runs the server; nothing by default. */
  readonly log?: ((message: string) => void) | undefined;
}

/** Makes a server for one connection. */
export type ServerFactory = () => McpServer;

/** The version of the server. */
export const VERSION: string = config.version;

/** Opens the directories to serve. */
export async function openServer(
  options: ServerOptions,
): Promise<ServerFactory> {
  const { allowSecrets = false, deny = [] } = options;
  const progress = new Progress();
  const fs = progress.watch(options.fs ?? hostFs());
  const { maxChars = DEFAULT_MAX_CHARS, log = () => {} } = options;
  const { followRoots = false, facts = false, fallback } = options;
  if (
    !Number.isInteger(maxChars) || maxChars < LEAST_MAX_CHARS ||
    maxChars > MOST_MAX_CHARS
  ) {
    throw new RangeError(
      `Cannot serve: maxChars is ${maxChars}, not a whole number from ${LEAST_MAX_CHARS} to ${MOST_MAX_CHARS}`,
    );
  }
  const rules = [...(allowSecrets ? [] : SECRET_FILES), ...deny];
  const named = options.directories;
  const isNamed = named.length > 0;
  const usual = fallback === undefined ? [] : [fallback];
  const open = isNamed
    ? await Directories.open(fs, named, rules)
    : await Directories.open(fs, usual, rules).catch((error: Error) => {
      log(`${error.message}; only the client's roots are served`);
      return Directories.open(fs, [], rules);
    });
  const places = {
    roots: isNamed ? open.scope.roots : [],
    fallback: isNamed ? undefined : open.paths[0],
    followsRoots: followRoots,
    allowsSecrets: allowSecrets,
  };
  const paths = pathRuleOf(places);
  const tools = options.dialect === undefined
    ? [
      readFileTool(maxChars, paths),
      readFilesTool(maxChars, paths),
      listDirectoryTool(maxChars, paths),
    ]
    : [await dialectTool(options.dialect, paths)];
  const versions = new Versions();
  const scopeOf = (uris: readonly string[]): Promise<Served> => {
    if (uris.length === 0) {
      return Promise.resolve({ scope: open.scope, unserved: [] });
    }
    if (!isNamed) return openRoots(fs, uris, rules);
    return followRoots ? open.within(uris) : open.from(uris);
  };
  return () =>
    makeServer({
      tools,
      facts,
      instructions: instructionsOf(places),
      maxChars,
      mustKnowRoots: followRoots || !isNamed,
      scopeOf,
      versions,
      progress,
      log,
    });
}

/** What a server of one connection is made of. */
interface ServerParts {
  readonly tools: readonly ServedTool[];
  readonly facts: boolean;
  readonly instructions: string;
  readonly maxChars: number;
  /** Whether what may be read depends on the client's roots. */
  readonly mustKnowRoots: boolean;
  readonly scopeOf: (uris: readonly string[]) => Promise<Served>;
  readonly versions: Versions;
  readonly progress: Progress;
  readonly log: (message: string) => void;
}

function makeServer(
  { tools, facts, instructions, maxChars, log, ...parts }: ServerParts,
): McpServer {
  const server = new McpServer({
    name: "read-file",
    title: "Read files",
    version: VERSION,
  }, { capabilities: { tools: { listChanged: false } }, instructions });
  const client = new ClientRoots(server, log, parts.mustKnowRoots);
  const scopes = new ClientScope(parts.scopeOf, log);

  async function call(
    tool: ServedTool,
    given: Json,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const bounds = boundsFor(nameOf(server, context), maxChars);
    // A failure tells how arguments were understood, too.
    const notes: string[] = [];
    try {
      const roots = await client.for(context);
      if (!isList(roots)) return roots;
      const scope = await scopes.for(roots);
      const { signal } = context.mcpReq;
      const { versions } = parts;
      const note = (more: readonly string[]) => void notes.push(...more);
      const told = { scope, bounds, versions, signal, note };
      const answer = await tool.call(Object(given), told);
      return {
        content: [{ type: "text", text: answer.text }],
        ...(facts && { structuredContent: { ...answer.facts } }),
      };
    } catch (error) {
      if (!(error instanceof ReadFileError)) {
        log(`${tool.name} failed: ${String(error)}`);
      }
      return failureOf(error, notes, bounds.chars);
    }
  }

  for (const tool of tools) {
    const { name, title, description, input, output } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: schemaOf<Json>({ ...input }),
        ...(facts && { outputSchema: schemaOf<Json>({ ...output }) }),
        annotations: {
          title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        _meta: {
          // Claude Code hides tools behind a search, and cuts results, unless told.
          "anthropic/alwaysLoad": true,
          "anthropic/maxResultSizeChars": maxChars,
        },
      },
      (args, context) =>
        parts.progress.during(context.mcpReq, () => call(tool, args, context)),
    );
  }
  return server;
}

/** The name of the client: of its greeting, or of the call itself since 2026-07-28. */
function nameOf(
  { server }: McpServer,
  { mcpReq: { envelope } }: ServerContext,
): string | undefined {
  if (envelope === undefined) return server.getClientVersion()?.name;
  // The SDK's type of the envelope lacks the keys that it has.
  const { [CLIENT_INFO_META_KEY]: info } = envelope as Json;
  const { name } = Object(info);
  return typeof name === "string" ? name : undefined;
}

function isList(
  roots: readonly string[] | InputRequiredResult,
): roots is readonly string[] {
  return Array.isArray(roots);
}

/** A schema to list; the tool itself judges what comes, in its own words. */
function schemaOf<T>(
  schema: Record<string, unknown>,
): StandardSchemaWithJSON<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "read-file",
      // The protocol lets nothing but objects come here.
      validate: (value) => ({ value: value as T }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
