// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import type { Scope } from "./scope.ts";

/** A value as JSON has it. */
export type Json = Readonly<Record<string, unknown>>;

/** What a tool answers. */
export interface Answer {
  /** What a model reads. */
  readonly text: string;
  /** The same for a program; it fits the tool's output schema. */
  readonly structured: Json;
}

/** A tool as the server offers it. */
export interface ServedTool {
  /** The name the model calls it by. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** What it does. */
  readonly description: string;
  /** What it takes. */
  readonly input: JsonSchema;
  /** What it gives. */
  readonly output: Json;
  /**
   * Answers a call.
   *
   * @param args The arguments.
   * @param scope The directories that may be read.
   * @param signal Ends the call early.
   * @returns The answer; a `ReadFileError` says why there is none.
   */
  call(args: Json, scope: Scope, signal: AbortSignal): Promise<Answer>;
}
