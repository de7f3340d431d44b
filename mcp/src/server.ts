// Runtime-agnostic.
import {
  type FsPort,
  hostFs,
  ReadFileError,
  SECRET_FILES,
} from "@agent-tools/read-file";
import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import config from "../deno.json" with { type: "json" };
import { ClientRoots } from "./client_roots.ts";
import { ClientScope } from "./client_scope.ts";
import { type Dialect, dialectTool } from "./dialects.ts";
import { Directories } from "./directories.ts";
import { failureOf, notesOf, textOf } from "./failure.ts";
import { DEFAULT_MAX_BYTES, MOST_MAX_BYTES } from "./limits.ts";
import { outcomeOf } from "./outcome.ts";
import { readFileTool } from "./read_file.ts";
import { readFilesTool } from "./read_files.ts";
import type { Scope } from "./scope.ts";
import type { Json, ServedTool } from "./served_tool.ts";

/** What the server is to serve. */
export interface ServerOptions {
  /** The directories that may be read, and nothing outside them. */
  readonly directories: readonly string[];
  /** Serves one of the four tools under its own name, instead of our own. */
  readonly dialect?: Dialect | undefined;
  /** Whether files that commonly hold secrets may be read; they may not by default. */
  readonly allowSecrets?: boolean | undefined;
  /** Globs of further paths that may not be read. */
  readonly deny?: readonly string[] | undefined;
  /** The most bytes of a file on a page, if a call says nothing; 32 KiB by default. */
  readonly maxBytes?: number | undefined;
  /** The file system; the runtime's own disk by default. */
  readonly fs?: FsPort | undefined;
  /** Takes what there is to say to whoever runs the server; nothing by default. */
  readonly log?: ((message: string) => void) | undefined;
}

/** Makes a server for one connection. */
export type ServerFactory = () => McpServer;

/** The version of the server. */
export const VERSION: string = config.version;

/**
 * Opens the directories to serve.
 *
 * @param options The directories, and what of them to serve.
 * @returns What makes a server for each connection.
 */
export async function openServer(
  options: ServerOptions,
): Promise<ServerFactory> {
  const { allowSecrets = false, deny = [], fs = hostFs() } = options;
  const { maxBytes = DEFAULT_MAX_BYTES, log = () => {} } = options;
  if (
    !Number.isInteger(maxBytes) || maxBytes < 1 || maxBytes > MOST_MAX_BYTES
  ) {
    throw new RangeError(
      `Cannot serve: maxBytes is ${maxBytes}, not a whole number from 1 to ${MOST_MAX_BYTES}`,
    );
  }
  if (options.directories.length === 0) {
    throw new RangeError("Cannot serve: name a directory that may be read");
  }
  const rules = [...(allowSecrets ? [] : SECRET_FILES), ...deny];
  const directories = await Directories.open(fs, options.directories, rules);
  const paths = sayPaths(directories.scope);
  const tools = options.dialect === undefined
    ? [readFileTool(maxBytes, paths), readFilesTool(maxBytes, paths)]
    : [await dialectTool(options.dialect, paths)];
  return () => makeServer(tools, directories, log);
}

/**
 * The rule by which a path means a directory. It is told before the client has
 * said its roots, and must hold whichever they are.
 */
function sayPaths({ roots }: Scope): string {
  const names = roots.map(({ name }) => JSON.stringify(`${name}/`)).join(", ");
  return roots.length === 1
    ? "A path is relative to the root directory, or absolute in it. Where the client has roots in it, those are the root directories; of several, a path begins with the name of one."
    : `A path begins with the name of a root directory (${names}), or is absolute in one. Where the client has roots in these, those are the root directories; if there is one alone, a path is relative to it.`;
}

function makeServer(
  tools: readonly ServedTool[],
  directories: Directories,
  log: (message: string) => void,
): McpServer {
  const server = new McpServer({
    name: "read-file",
    title: "Read files",
    version: VERSION,
  }, { capabilities: { tools: { listChanged: false } } });
  const client = new ClientRoots(server, log);
  const scopes = new ClientScope(directories, log);

  async function call(
    tool: ServedTool,
    given: Json,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const fail = (error: unknown, notes: readonly string[] = []) => {
      if (!(error instanceof ReadFileError)) {
        log(`${tool.name} failed: ${String(error)}`);
      }
      return failureOf(error, notes);
    };
    try {
      const roots = await client.for(context);
      if (!isList(roots)) return roots;
      const scope = await scopes.for(roots);
      const { signal } = context.mcpReq;
      const { answer, error, notes } = await outcomeOf(
        tool,
        given,
        scope,
        signal,
      );
      if (answer === undefined) return fail(error, notes);
      return {
        content: [textOf(answer.text), ...notesOf(notes)],
        structuredContent: withNotes(answer.structured, notes, tool),
      };
    } catch (error) {
      return fail(error);
    }
  }

  for (const tool of tools) {
    const { name, title, description, input, output } = tool;
    server.registerTool(name, {
      title,
      description,
      inputSchema: schemaOf<Json>({ ...input }),
      outputSchema: schemaOf<Json>({ ...output }),
      annotations: {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    }, (args, context) => call(tool, args, context));
  }
  return server;
}

/** What a program gets; some clients show a model nothing else. */
function withNotes(
  structured: Json,
  notes: readonly string[],
  { output }: ServedTool,
): Record<string, unknown> {
  const isTold = notes.length > 0 && "notes" in Object(output.properties);
  return isTold ? { ...structured, notes } : { ...structured };
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
