// A model that makes the natural first calls, and then literally does what the answers say.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { Task, Want } from "./tasks.ts";

/** A call of a tool. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An answer as the model gets it; `undefined` if none came in time. */
export type Answer = string | undefined;

/** Some tools that a model can call. */
export interface Arm {
  readonly name: string;
  /** What the model is told of the tools. */
  readonly definitions: string;
  /** The natural calls for what is wanted; none if the tools have no way to ask for it. */
  first(want: Want): readonly ToolCall[];
  call(call: ToolCall): Promise<Answer>;
  end(): Promise<void>;
}

/** What became of a task. */
export interface Played {
  readonly task: string;
  readonly isSolved: boolean;
  readonly calls: number;
  readonly tokens: number;
  /** Why the model was stuck, if it was. */
  readonly deadEnd?: string;
  /** The longest wait for an answer. */
  readonly ms: number;
  /** The answers, for comparisons. */
  readonly texts: readonly string[];
}

/** How long a model waits for an answer. */
export const ANSWER_MS = 15_000;

/** The most calls for a task. */
const MOST_CALLS = 40;

export function tokensOf(text: string): number {
  return encode(text).length;
}

/** Plays a task. */
export async function play(
  arm: Arm,
  task: Task,
  root: string,
): Promise<Played> {
  const waiting = [...arm.first(task.want)];
  const made = new Set<string>();
  const texts: string[] = [];
  let tokens = 0;
  let ms = 0;
  const stop = (isSolved: boolean, deadEnd?: string): Played => ({
    task: task.name,
    isSolved,
    calls: made.size,
    tokens,
    ms,
    texts,
    ...(deadEnd !== undefined && { deadEnd }),
  });
  if (waiting.length === 0) return stop(false, "no tool for it");
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const key = JSON.stringify(next);
    if (made.has(key)) return stop(false, "the same call again");
    if (made.size === MOST_CALLS) return stop(false, `${MOST_CALLS} calls`);
    made.add(key);
    tokens += tokensOf(JSON.stringify(next.args));
    const began = performance.now();
    const text = await arm.call(next);
    ms = Math.max(ms, performance.now() - began);
    if (text === undefined) return stop(false, "no answer");
    tokens += tokensOf(text);
    texts.push(text);
    const all = texts.join("\n");
    if (task.evidence.every((one) => one.test(all))) return stop(true);
    if (texts.length === 1) task.between?.(root);
    // Calls that were planned come before what an answer says.
    if (waiting.length > 0) continue;
    const told = followed(text, next);
    if (told !== undefined) waiting.push(told);
  }
  const isOfShell = /use bash/i.test(texts.at(-1) ?? "");
  return stop(false, `the answer names ${isOfShell ? "the shell" : "no call"}`);
}

/** The call that an answer tells the model to make, in the words of any of the tools. */
function followed(
  text: string,
  { tool, args }: ToolCall,
): ToolCall | undefined {
  const [, said] = /^Next: (.*)$/m.exec(text) ?? [];
  if (said !== undefined) return namedCall(said, args);
  const meant = quoted(/did you mean ("(?:[^"\\]|\\.)*")/, text) ??
    quoted(/it holds ("(?:[^"\\]|\\.)*")/, text);
  if (meant !== undefined) {
    const name = Object.keys(args).find((name) => /path/.test(name))!;
    return { tool, args: { ...args, [name]: meant } };
  }
  const named = namedCall(text, args);
  if (named !== undefined) return named;
  // pi, Gemini CLI, and Anthropic's SDK, which says it once.
  const [, offset] = /[Uu]se offset=(\d+) to continue/.exec(text) ?? [];
  if (offset !== undefined) {
    return { tool, args: { ...args, offset: Number(offset) } };
  }
  const [, line] = /use start_line: (\d+)/.exec(text) ?? [];
  if (line !== undefined) {
    const { end_line: _, ...others } = args;
    return { tool, args: { ...others, start_line: Number(line) } };
  }
  const { view_range: range } = args;
  if (Array.isArray(range) && text !== "") {
    const [start, end] = range as [number, number];
    return {
      tool,
      args: { ...args, view_range: [end + 1, 2 * end + 1 - start] },
    };
  }
  const [, first] = /view_range: (\[\d+, \d+\])/.exec(text) ?? [];
  if (first === undefined) return undefined;
  return { tool, args: { ...args, view_range: JSON.parse(first) } };
}

function quoted(pattern: RegExp, text: string): string | undefined {
  const [, json] = pattern.exec(text) ?? [];
  return json === undefined ? undefined : JSON.parse(json);
}

/** The first call of one of our tools that a text names. */
function namedCall(text: string, args: ToolCall["args"]): ToolCall | undefined {
  const match =
    /\b(read_files?|list_directory|search\w*) (with the same path and )?(?=\{)/
      .exec(text);
  if (match === null) return undefined;
  const [before, tool, same] = match;
  const json = objectAt(text, match.index + before.length);
  if (json === undefined) return undefined;
  const path = same === undefined ? {} : { path: args.path };
  return { tool: tool!, args: { ...path, ...JSON.parse(json) } };
}

/** The JSON object that begins at a place in a text. */
function objectAt(text: string, start: number): string | undefined {
  for (
    let end = text.indexOf("}", start);
    end >= 0;
    end = text.indexOf("}", end + 1)
  ) {
    const json = text.slice(start, end + 1);
    try {
      JSON.parse(json);
      return json;
    } catch {
      // The brace stands inside the object.
    }
  }
  return undefined;
}
