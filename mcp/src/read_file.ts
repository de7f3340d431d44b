// Runtime-agnostic.
import { PAGE_NAMES, takeArguments } from "./arguments.ts";
import { boundsOf } from "./bounds.ts";
import { type AskedPage, fitPage } from "./page_answer.ts";
import { answerImage, isOfImage } from "./image_answer.ts";
import {
  factsOfPage,
  PAGE_OUTPUT,
  pageSchema,
  type PageToolOptions,
} from "./page_schema.ts";
import type { CallContext, Json, ServedTool } from "./served_tool.ts";

/** The tool `read_file`: a page of a file, and the call that goes on. */
export function readFileTool(options: PageToolOptions): ServedTool {
  const input = pageSchema(options);
  return {
    name: "read_file",
    title: "Read a file",
    description: [
      "Reads a text file as numbered lines, or shows an image. The first line of the answer says which lines these are of how many.",
      "If more follows, the last line is the call that goes on: make it to read further, as often as needed.",
      options.paths,
    ].join(" "),
    input,
    output: PAGE_OUTPUT,
    async call(given, context) {
      const { scope, bounds, notes } = context;
      const taken = await takeArguments(input, given, PAGE_NAMES, notes);
      const { path, maxChars } = taken;
      return await scope.at(path, async (place) => {
        const options = optionsOf(taken.options, path, context);
        const asked = { ...context, ...place, options, maxChars };
        try {
          const page = await fitPage(asked, boundsOf(maxChars, bounds));
          return { text: page.text, facts: factsOfPage(page) };
        } catch (error) {
          if (!isOfImage(error)) throw error;
          return await answerImage(place, taken.options, context);
        }
      });
    },
  };
}

/** The options of a page as the library takes them; it checks all but the etag. */
export function optionsOf(
  { etag, ...options }: Json,
  path: string,
  { versions }: CallContext,
): AskedPage["options"] {
  return etag === undefined
    ? options
    : { ...options, etag: versions.etagOf(etag, path) };
}
