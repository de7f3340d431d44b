// Runtime-agnostic.
import type { ReadSession, Tool, ToolDefinition } from "@agent-tools/read-file";
import type { Size } from "./bounds.ts";
import type { Json } from "./messages.ts";
import type { Scope } from "./scope.ts";
import type { Versions } from "./versions.ts";

export interface Answer {
  readonly text: string;
  /** The facts for programs, which match the output schema if there is one. */
  readonly facts: Json;
  /** An image after the text, as base64. */
  readonly image?: { readonly data: string; readonly mimeType: string };
}

/** What a call needs besides its arguments. */
export interface CallContext {
  readonly scope: Scope;
  readonly bounds: Size;
  readonly versions: Versions;
  /** What the connection was shown of each directory. */
  readonly sessions: Map<string, ReadSession>;
  readonly signal: AbortSignal;
  readonly encoding?: string | undefined;
  /** The most bytes to read of one file. */
  readonly maxScan: number;
  /** How arguments were understood; shown with an answer and with a failure. */
  readonly notes: string[];
}

export interface ServedTool extends ToolDefinition {
  readonly title: string;
  /** The schema of its facts, without the notes; a dialect has none. */
  readonly output?: Json;
  call(args: Json, context: CallContext): Promise<Answer>;
}

/** Binds a tool to the context of one call, for `callTool`. */
export function bind(
  tool: ServedTool,
  contextOf: () => Promise<Omit<CallContext, "notes">>,
): Tool<Answer, Json> {
  return {
    definition: tool,
    aliases: [],
    async call(args, options) {
      const notes: string[] = [];
      const context = { ...await contextOf(), notes };
      try {
        return await tool.call(args, context);
      } finally {
        // A failure has its notes, too.
        for (const note of notes) options?.note?.(note);
      }
    },
    render: ({ text }) => text,
  };
}
