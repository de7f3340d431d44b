import type { ReadFileError } from "../../core/base/errors.ts";
import type { JsonSchema, ReplyImage } from "../call.ts";
import type { Size } from "./bounds.ts";
import type { ReaderMemory } from "./memory.ts";
import type { ReadRoots } from "./roots.ts";
import type { SchemaOptions } from "./schema.ts";
import type { Json } from "../../core/base/check.ts";
import type { SharedViews } from "../../core/media/shared_views.ts";

/** What the tools need to answer calls. */
export interface Setup {
  readonly bounds: Size;
  readonly schema: SchemaOptions;
  /** How paths are resolved, in words. */
  readonly paths: string;
  readonly maxCountedBytes: number;
  readonly maxScanBytes: number;
  readonly encoding: string | undefined;
  readonly etags: "short" | "full";
  readonly typed: boolean;
  readonly memory: ReaderMemory;
  readonly countTokens: (text: string) => number;
  readonly hints: { readonly scan: string; readonly pdf: string };
}

/** What a call needs besides its arguments. */
export interface ReaderCall extends Setup {
  readonly roots: ReadRoots;
  readonly signal: AbortSignal | undefined;
  /** How arguments were understood; shown with an answer and with a failure. */
  readonly notes: string[];
  /** Shares the texts of views, if a call may read one file several times. */
  readonly views: SharedViews | undefined;
}

/** A tool, before it is bound to a setup. */
export interface ToolPlan<Name extends string> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly factsSchema: Json;
  call(args: Json, context: ReaderCall): Promise<PlainAnswer>;
  insteadOf?(
    error: ReadFileError,
    lines?: { readonly start?: number; readonly count?: number },
  ): object | undefined;
}

/** An answer without its notes among the facts. */
export interface PlainAnswer {
  readonly text: string;
  readonly facts: Json;
  readonly images?: readonly ReplyImage[];
}
