// Runtime-agnostic.
import type { PageOptions } from "@agent-tools/read-file";
import { PAGE_NAMES, takeArguments } from "./arguments.ts";
import { LEAST_MAX_CHARS, type Size, smaller } from "./bounds.ts";
import { badArgument } from "./failure.ts";
import { factsOfPage, PAGE_OUTPUT, pageProperties } from "./page_schema.ts";
import { fitPage } from "./page_answer.ts";
import type { Json, ServedTool } from "./served_tool.ts";
import type { Versions } from "./versions.ts";

/** The tool `read_file`: a page of a file, and how to go on. */
export function readFileTool(maxChars: number, paths: string): ServedTool {
  const input = {
    type: "object",
    properties: pageProperties(maxChars),
    required: ["path"],
  } as const;
  return {
    name: "read_file",
    title: "Read a file",
    description: [
      "Reads a text file as numbered lines. The first line of the answer says which lines these are of how many.",
      "If more follows, the last line is the call that goes on: make it to read further, as often as needed.",
      paths,
    ].join(" "),
    input,
    output: PAGE_OUTPUT,
    async call(given, { scope, bounds, versions, signal, note }) {
      const { args, notes } = await takeArguments(input, given, PAGE_NAMES);
      note(notes);
      const path = takePath(args.path);
      return await scope.at(path, async (place) => {
        const asked = takePage(args, path, maxChars, versions);
        const page = await fitPage(
          { ...place, ...asked, scope, versions, signal, notes },
          boundsOf(asked, bounds),
        );
        return { text: page.text, facts: factsOfPage(page, notes) };
      });
    },
  };
}

/** Takes a path; of another value there is nothing to name in quotes. */
export function takePath(path: unknown): string {
  if (typeof path === "string") return path;
  throw badArgument("path", 'must be a string, such as "a.txt"');
}

/** What a call asks of a page, besides its path. */
export interface PageCall {
  readonly options: PageOptions;
  readonly maxChars: number | undefined;
}

/** Takes the arguments of a page; what stands in its options is refused where pages are read. */
export function takePage(
  { path: _, maxChars, etag, ...options }: Json,
  path: string,
  most: number,
  versions: Versions,
): PageCall {
  return {
    options: {
      ...options,
      ...(etag === undefined ? {} : { etag: versions.etagOf(etag, path) }),
    },
    maxChars: maxChars === undefined ? undefined : takeChars(maxChars, most),
  };
}

/** Takes a number of characters that a call asks for. */
export function takeChars(maxChars: unknown, most: number): number {
  const isWhole = Number.isSafeInteger(maxChars);
  const chars = Number(maxChars);
  if (isWhole && chars >= LEAST_MAX_CHARS && chars <= most) return chars;
  throw badArgument(
    "maxChars",
    `must be a whole number from ${LEAST_MAX_CHARS} to ${most}`,
  );
}

/** The bounds of an answer by what the call asks for and the client shows. */
export function boundsOf(
  { maxChars }: Pick<PageCall, "maxChars">,
  bounds: Size,
): Size {
  if (maxChars === undefined) return bounds;
  return smaller(bounds, { chars: maxChars, bytes: 2 * maxChars });
}
