// Runtime-agnostic.
import {
  type EncodingDetector,
  type FsPort,
  gunzipView,
  hostFs,
  notebookView,
  ReadFileError,
  SECRET_FILES,
  type View,
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
  DEFAULT_MAX_SCAN,
  showsMeta,
} from "./bounds.ts";
import { viewOfCalls } from "./call_views.ts";
import { ClientRoots, type ClientRootsOptions } from "./client_roots.ts";
import { type Dialect, dialectTool } from "./dialects.ts";
import {
  openDirectories,
  openRoots,
  scopeFrom,
  scopeWithin,
} from "./directories.ts";
import { failureOf, sentenceOf } from "./failure.ts";
import { instructionsOf, pathRuleOf } from "./instructions.ts";
import { listDirectoryTool } from "./list_directory.ts";
import { Progress } from "./progress.ts";
import { readFileTool } from "./read_file.ts";
import { readFilesTool } from "./read_files.ts";
import { limitScans } from "./scan_limit.ts";
import { type RootDirectory, Scope } from "./scope.ts";
import type { Json, ServedTool } from "./served_tool.ts";
import { Sessions } from "./sessions.ts";
import { Versions } from "./versions.ts";
import { visibleJson } from "./visible.ts";

export interface ServerOptions {
  /** The directories that may be read; the client's roots by default. */
  readonly directories: readonly string[];
  /** What may be read if there are neither directories nor roots. */
  readonly fallback?: string | undefined;
  /** Whether the client's roots narrow the directories. */
  readonly followRoots?: boolean | undefined;
  /** The tool to serve instead of the server's own. */
  readonly dialect?: Dialect | undefined;
  /** Whether files that commonly hold secrets may be read. */
  readonly allowSecrets?: boolean | undefined;
  /** Globs of further paths that may not be read. */
  readonly deny?: readonly string[] | undefined;
  /** The most characters of an answer, and of what a call may ask for. */
  readonly maxChars?: number | undefined;
  /** The most bytes to read of one file for an answer. */
  readonly maxScan?: number | undefined;
  /** Whether an answer leaves out lines that an earlier answer of the connection showed. */
  readonly session?: boolean | undefined;
  /** Whether answers hold facts for programs besides the text. */
  readonly facts?: boolean | undefined;
  /** The encoding of files; detected by default. */
  readonly encoding?: string | undefined;
  readonly detect?: EncodingDetector | undefined;
  /** Views beside those of notebooks and of gzip. */
  readonly views?: readonly View[] | undefined;
  /** The file system; the runtime's own disk by default. */
  readonly fs?: FsPort | undefined;
  readonly log?: ((message: string) => void) | undefined;
}

export const VERSION: string = config.version;

/** Opens the directories, and returns a function that makes a server for each connection. */
export async function openServer(
  options: ServerOptions,
): Promise<() => McpServer> {
  const { directories, fallback, allowSecrets = false, deny = [] } = options;
  const { maxChars = DEFAULT_MAX_CHARS, log = () => {} } = options;
  const { followRoots = false, facts = false, dialect } = options;
  const progress = new Progress();
  const { maxScan = DEFAULT_MAX_SCAN } = options;
  const fs = limitScans(progress.watch(options.fs ?? hostFs()), maxScan);
  const views = [notebookView(), gunzipView(), ...options.views ?? []]
    .map((view) => viewOfCalls(view, progress));
  const paged = views.some(({ paged }) => paged);
  const { detect } = options;
  const rules = [...(allowSecrets ? [] : SECRET_FILES), ...deny];
  const opening = { deny: rules, views, ...(detect && { detect }) };
  const isNamed = directories.length > 0;
  const usual = isNamed || fallback === undefined ? directories : [fallback];
  let roots: readonly RootDirectory[] = [];
  try {
    roots = await openDirectories(fs, usual, opening);
  } catch (error) {
    if (isNamed) throw error;
    log(`${sentenceOf(error as Error)}; only the client's roots are served`);
  }
  const places = {
    roots: isNamed ? roots : [],
    fallback: isNamed ? undefined : roots[0]?.path,
    ...{ followsRoots: followRoots, allowsSecrets: allowSecrets },
  };
  const paths = pathRuleOf(places);
  const all = new Scope(roots);
  return serverFactory({
    tools: dialect !== undefined ? [await dialectTool(dialect, paths)] : [
      readFileTool({ maxChars, paths, paged, session: options.session }),
      readFilesTool({ maxChars, paths, paged }),
      listDirectoryTool(maxChars, paths),
    ],
    instructions: instructionsOf(places),
    ...{ facts, encoding: options.encoding, maxChars, progress, log },
    mustKnow: followRoots || !isNamed,
    scopeOf: async (uris) => {
      if (uris.length === 0) return { scope: all, unserved: [] };
      if (!isNamed) return await openRoots(fs, uris, opening);
      return await (followRoots ? scopeWithin : scopeFrom)(fs, roots, uris);
    },
  });
}

/** What the servers of all connections share. */
interface ServerParts extends ClientRootsOptions {
  readonly tools: readonly ServedTool[];
  readonly facts: boolean;
  readonly encoding: string | undefined;
  readonly instructions: string;
  readonly maxChars: number;
  readonly progress: Progress;
}

function serverFactory(parts: ServerParts): () => McpServer {
  const { tools, facts, encoding, instructions, maxChars } = parts;
  const { progress, log } = parts;
  const versions = new Versions();
  return () => {
    const capabilities = { tools: { listChanged: false } };
    const server = new McpServer(
      { name: "read-file", title: "Read files", version: VERSION },
      { capabilities, instructions },
    );
    const client = new ClientRoots(server, parts);
    const sessions = new Sessions();

    async function call(
      tool: ServedTool,
      args: Json,
      context: ServerContext,
    ): Promise<CallToolResult | InputRequiredResult> {
      const name = nameOf(server, context);
      const bounds = boundsFor(name, maxChars);
      const notes: string[] = [];
      try {
        const scope = await client.scopeFor(context);
        if (!(scope instanceof Scope)) return scope;
        const { signal } = context.mcpReq;
        const state = { versions, sessions, signal, notes };
        const callContext = { scope, bounds, encoding, ...state };
        const answer = await tool.call(Object(args), callContext);
        const more = notes.length > 0 && { notes };
        return {
          content: [
            { type: "text", text: answer.text },
            ...(answer.image
              ? [{ type: "image" as const, ...answer.image }]
              : []),
          ],
          ...(facts && { structuredContent: { ...answer.facts, ...more } }),
        };
      } catch (error) {
        if (!(error instanceof ReadFileError)) {
          log(`${tool.name} failed: ${visibleJson(String(error))}`);
        }
        const { _meta, ...failure } = failureOf(error, notes, bounds.chars);
        return showsMeta(name) ? failure : { ...failure, _meta };
      }
    }

    for (const tool of tools) {
      server.registerTool(
        tool.name,
        configOf(tool, facts, maxChars),
        (args, context) =>
          progress.during(context.mcpReq, () => call(tool, args, context)),
      );
    }
    return server;
  };
}

/** The configuration that registers a tool. */
function configOf(
  { title, description, input, output }: ServedTool,
  facts: boolean,
  maxChars: number,
) {
  const outputSchema = schemaOf({
    ...output,
    properties: { ...Object(output.properties), notes: NOTES },
  });
  return {
    title,
    description,
    inputSchema: schemaOf({ ...input }),
    ...(facts && { outputSchema }),
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    _meta: {
      // Without these, Claude Code hides tools behind a search and cuts results.
      "anthropic/alwaysLoad": true,
      "anthropic/maxResultSizeChars": maxChars,
    },
  };
}

const NOTES: Json = {
  type: "array",
  description: "How arguments were understood.",
  items: { type: "string" },
};

/** The name of the client: from `initialize`, or from each call since the revision of 2026-07-28. */
function nameOf(
  { server }: McpServer,
  { mcpReq: { envelope } }: ServerContext,
): string | undefined {
  if (envelope === undefined) return server.getClientVersion()?.name;
  const { [CLIENT_INFO_META_KEY]: info } = Object(envelope);
  const { name } = Object(info);
  return typeof name === "string" ? name : undefined;
}

/** A schema that is only listed; the tool checks its arguments itself. */
function schemaOf(
  schema: Record<string, unknown>,
): StandardSchemaWithJSON<Json> {
  return {
    "~standard": {
      version: 1,
      vendor: "read-file",
      // The protocol allows only objects.
      validate: (value) => ({ value: value as Json }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
