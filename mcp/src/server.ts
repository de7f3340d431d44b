// Runtime-agnostic.
import {
  callTool,
  gunzipView,
  hostFs,
  notebookView,
} from "@agent-tools/read-file";
import type {
  EncodingDetector,
  FsPort,
  ReadFileError,
  View,
} from "@agent-tools/read-file";
import config from "../deno.json" with { type: "json" };
import { boundsFor, DEFAULT_MAX_CHARS, DEFAULT_MAX_SCAN } from "./bounds.ts";
import { dialectTool } from "./dialects.ts";
import { clientRoots, openDirectories, questionFor } from "./directories.ts";
import type { DirectoriesOptions } from "./directories.ts";
import { instructionsOf, pathRuleOf } from "./instructions.ts";
import { listDirectoryTool } from "./list_directory.ts";
import type { Json } from "./messages.ts";
import { Progress } from "./progress.ts";
import { type Connection, openConnection, type Peer } from "./protocol.ts";
import { readFileTool } from "./read_file.ts";
import { readFilesTool } from "./read_files.ts";
import { type Answer, bind, type ServedTool } from "./served_tool.ts";
import { Versions } from "./versions.ts";
import { failureText, shorten, visibleJson, withNotes } from "./visible.ts";

export interface ServerOptions extends DirectoriesOptions {
  readonly detect?: EncodingDetector | undefined;
  /** Views beside those of notebooks and of gzip. */
  readonly views?: readonly View[] | undefined;
  readonly fs?: FsPort | undefined;
  readonly log?: ((message: string) => void) | undefined;
}

export const VERSION: string = config.version;

/** Agents that show the whole failure to the model: with the code in `_meta`, the model would see it twice. */
const SHOW_META = /^(?:gemini|qwen|@?cline)/i;

/** Opens the directories, and returns a function that serves a client. */
export async function openServer(
  options: ServerOptions,
): Promise<(peer: Peer) => Connection> {
  const { maxChars = DEFAULT_MAX_CHARS, maxScan = DEFAULT_MAX_SCAN } = options;
  const { detect, log = () => {}, dialect, session, encoding } = options;
  const { facts: sendsFacts = false } = options;
  const progress = new Progress();
  const fs = progress.watch(options.fs ?? hostFs(), maxScan);
  const views = [notebookView(), gunzipView(), ...options.views ?? []]
    .map((view) => progress.watchView(view));
  const opening = { fs, views, ...(detect && { detect }) };
  const served = await openDirectories(options, opening, log);
  const paged = views.some((view) => view.paged);
  const toolOptions = { maxChars, paged, paths: pathRuleOf(served, dialect) };
  const tools = dialect !== undefined
    ? [await dialectTool(dialect, toolOptions.paths)]
    : [
      readFileTool({ ...toolOptions, session }),
      // No `session`: it always shows every line, so there is nothing to refresh.
      readFilesTool(toolOptions),
      listDirectoryTool(maxChars, toolOptions.paths),
    ];
  const definitions = tools.map((tool) =>
    definitionOf(tool, sendsFacts, maxChars)
  );
  const versions = new Versions();
  return (peer) => {
    const roots = clientRoots(served, log);
    /** What is the same for all calls of the client. */
    const shared = { versions, encoding, maxScan, sessions: new Map() };
    return openConnection(peer, {
      info: { name: "read-file", title: "Read files", version: VERSION },
      instructions: (client) => instructionsOf(served, client, dialect),
      tools: definitions,
      forgetRoots: roots.forget,
      async call(name, args, request) {
        // In the stateless revision, the result itself asks for the roots.
        const question = questionFor(request);
        if (question !== undefined) return question;
        const { signal, client } = request;
        const tool = tools.find((tool) => tool.name === name)!;
        const bounds = boundsFor(client.name, maxChars);
        const bound = bind(tool, async () => {
          const scope = await roots.scopeFor(request);
          return { ...shared, scope, bounds, signal };
        });
        const { output, error, notes } = await progress.during(
          request,
          () => callTool(bound, args, { signal }),
        );
        if (error === undefined) return resultOf(output, notes, sendsFacts);
        // The message for the model leaves out what the system, or a fault of the server, said.
        if (error.is("IO")) {
          log(`${name} failed: ${visibleJson(String(error.cause ?? error))}`);
        }
        const hasMeta = !SHOW_META.test(client.name);
        return failureOf(error, notes, bounds.chars, hasMeta);
      },
    });
  };
}

function resultOf(
  { text, image, facts }: Answer,
  notes: readonly string[],
  sendsFacts: boolean,
): Json {
  const more = notes.length > 0 && { notes };
  return {
    content: [
      { type: "text", text },
      ...(image ? [{ type: "image", ...image }] : []),
    ],
    ...(sendsFacts && { structuredContent: { ...facts, ...more } }),
  };
}

/** The key of `_meta` with the code of a failure, for programs. */
const ERROR_KEY = "agent-tools/error";

function failureOf(
  error: ReadFileError,
  notes: readonly string[],
  maxChars: number,
  hasMeta: boolean,
): Json {
  const { code } = error;
  const text = withNotes(failureText(error), notes);
  const shown = text.length > maxChars ? shorten(text, maxChars) : text;
  const meta = notes.length > 0 ? { code, notes } : { code };
  return {
    content: [{ type: "text", text: shown }],
    isError: true,
    ...(hasMeta && { _meta: { [ERROR_KEY]: meta } }),
  };
}

function definitionOf(
  { name, title, description, parameters, output }: ServedTool,
  sendsFacts: boolean,
  maxChars: number,
): Json & Pick<ServedTool, "name"> {
  const properties = { ...Object(output?.properties), notes: NOTES };
  return {
    name,
    title,
    description,
    inputSchema: parameters,
    ...(sendsFacts && output && { outputSchema: { ...output, properties } }),
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
