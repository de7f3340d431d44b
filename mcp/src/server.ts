import {
  callTool,
  gunzipView,
  hostFs,
  notebookView,
  ReaderMemory,
  readerTools,
  ReadRoots,
} from "@agent-tools/read-file";
import type {
  EncodingDetector,
  FsPort,
  ReaderAnswer,
  ReadFileError,
  Revisions,
  View,
} from "@agent-tools/read-file";
import config from "../deno.json" with { type: "json" };
import { boundsFor } from "./agents.ts";
import { DEFAULT_MAX_CHARS, DEFAULT_MAX_SCAN } from "./command_line.ts";
import { dialectTool, type ServedTool } from "./dialects.ts";
import { clientRoots, openDirectories, usesRoots } from "./directories.ts";
import type { DirectoriesOptions } from "./directories.ts";
import { instructionsOf, pathRuleOf } from "./instructions.ts";
import type { Json } from "./messages.ts";
import { Progress } from "./progress.ts";
import { type Connection, openConnection, type Peer } from "./protocol.ts";
import { ASK_FOR_MORE, cutText, visibleJson } from "./words.ts";

export interface ServerOptions extends DirectoriesOptions {
  readonly detect?: EncodingDetector | undefined;
  /** Views beside those of notebooks and of gzip. */
  readonly views?: readonly View[] | undefined;
  readonly fs?: FsPort | undefined;
  /** Where the versions of the files are. */
  readonly revisions?: Revisions | undefined;
  readonly log?: ((message: string) => void) | undefined;
}

export const VERSION: string = config.version;

/** Agents that show the whole failure to the model: with the code in `_meta`, the model would see it twice. */
const SHOW_META = /^(?:gemini|qwen|kimi|@?cline)/i;

/** The largest file whose lines are all counted for each answer, as for {@linkcode readerTools}; less if less may be read. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

/** What a model may tell its user. */
const HINTS = {
  scan: ASK_FOR_MORE,
  pdf: "the server reads it if it is started with --pdf",
};

/** Opens the directories, and returns a function that serves a client. */
export async function openServer(
  options: ServerOptions,
): Promise<(peer: Peer) => Connection> {
  const { maxChars = DEFAULT_MAX_CHARS, maxScan = DEFAULT_MAX_SCAN } = options;
  const { detect, log = () => {}, dialect, session, encoding } = options;
  const { facts: sendsFacts = false } = options;
  const progress = new Progress();
  const fs = progress.watch(options.fs ?? hostFs());
  const views = [notebookView(), gunzipView(), ...options.views ?? []]
    .map((view) => progress.watchView(view));
  const { revisions } = options;
  const opening = {
    ...{ fs, views },
    ...(detect && { detect }),
    ...(revisions && { revisions }),
  };
  const served = await openDirectories(options, opening, log);
  const makeDialect = dialect === undefined
    ? undefined
    : await dialectTool(dialect, { maxScan, encoding, revisions });
  const toolOptions = {
    maxCountedBytes: Math.min(MAX_COUNTED_BYTES, maxScan),
    maxScanBytes: maxScan,
    paged: views.some((view) => view.paged),
    session,
    encoding,
    changes: revisions !== undefined,
    hints: HINTS,
    typed: sendsFacts,
  };

  /** Makes the tools for a client; `find` finds the directories of a call. */
  function toolsFor(
    client: string,
    isStateless: boolean,
    memory: ReaderMemory,
    find: () => Promise<ReadRoots>,
  ): readonly ServedTool[] {
    const paths = pathRuleOf(served, isStateless, dialect);
    if (makeDialect !== undefined) return [makeDialect(find, paths)];
    const bounds = boundsFor(client, maxChars);
    return readerTools(find, { ...toolOptions, paths, ...bounds, memory });
  }

  const nowhere = () => Promise.resolve(new ReadRoots([]));
  const toolsOf = (client: string, isStateless: boolean) =>
    toolsFor(client, isStateless, new ReaderMemory(), nowhere);
  const names = toolsOf("", false).map(({ definition: { name } }) => name);

  return (peer) => {
    const roots = clientRoots(served, log);
    const memory = new ReaderMemory();
    return openConnection(peer, {
      info: { name: "read-file", title: "Read files", version: VERSION },
      instructions: (client, isStateless) =>
        instructionsOf(
          served,
          usesRoots(served, client, isStateless),
          dialect,
        ),
      names,
      definitions: ({ name }, isStateless) =>
        toolsOf(name, isStateless)
          .map((tool) => definitionOf(tool, sendsFacts, maxChars)),
      forgetRoots: roots.forget,
      async call(name, args, request) {
        // In the stateless revision, the result itself asks for the roots.
        const question = roots.questionFor(request);
        if (question !== undefined) return question;
        const { signal, client } = request;
        const find = () => roots.rootsOf(request);
        const isStateless = request.inputs !== undefined;
        const tool = toolsFor(client.name, isStateless, memory, find)
          .find(({ definition }) => definition.name === name)!;
        const { output, error, notes } = await progress.during(
          request,
          () => callTool(tool, args, { signal }),
        );
        if (error === undefined) return resultOf(output, sendsFacts);
        // The message for the model leaves out what the system, or a fault of the server, said.
        if (error.is("IO")) {
          log(`${name} failed: ${visibleJson(String(error.cause ?? error))}`);
        }
        const hasMeta = !SHOW_META.test(client.name);
        const text = tool.failure!(error, notes);
        const { maxChars: most } = boundsFor(client.name, maxChars);
        const shown = text.length > most ? cutText(text, most) : text;
        return failureOf(error, shown, notes, hasMeta);
      },
    });
  };
}

function resultOf(
  { text, images, facts }: ReaderAnswer,
  sendsFacts: boolean,
): Json {
  return {
    content: [
      { type: "text", text },
      ...images.map((image) => ({ type: "image", ...image })),
    ],
    ...(sendsFacts && { structuredContent: facts }),
  };
}

/** The key of `_meta` with the code of a failure, for programs. */
const ERROR_KEY = "agent-tools/error";

function failureOf(
  { code }: ReadFileError,
  text: string,
  notes: readonly string[],
  hasMeta: boolean,
): Json {
  const meta = notes.length > 0 ? { code, notes } : { code };
  return {
    content: [{ type: "text", text }],
    isError: true,
    ...(hasMeta && { _meta: { [ERROR_KEY]: meta } }),
  };
}

function definitionOf(
  { title, definition, factsSchema }: ServedTool,
  sendsFacts: boolean,
  maxChars: number,
): Json {
  const { name, description, parameters } = definition;
  return {
    name,
    title,
    description,
    inputSchema: parameters,
    ...(sendsFacts && factsSchema && { outputSchema: factsSchema }),
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
