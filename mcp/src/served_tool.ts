// Runtime-agnostic.
import type { JsonSchema } from "@agent-tools/read-file";
import type { Size } from "./bounds.ts";
import type { Scope } from "./scope.ts";
import type { Versions } from "./versions.ts";

/** A value as JSON has it. */
export type Json = Readonly<Record<string, unknown>>;

/** What a tool answers. */
export interface Answer {
  /** What a model reads. */
  readonly text: string;
  /** What a program may ask for beside the words; it fits the tool's output schema. */
  readonly facts: Json;
}

/** What a call is answered with. */
export interface CallContext {
  /** The directories that may be read. */
  readonly scope: Scope;
  /** The most that the answer may be. */
  readonly bounds: Size;
  /** The tokens of versions that were told. */
  readonly versions: Versions;
  /** Ends the call early. */
  readonly signal: AbortSignal;
  /** Takes how arguments were understood, so that a failure can tell it too. */
  readonly note: (notes: readonly string[]) => void;
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
  /** What facts it gives. */
  readonly output: Json;
  /** Answers a call. */
  call(args: Json, context: CallContext): Promise<Answer>;
}
