// Runtime-agnostic.
import { PAGE_NAMES, takeArguments } from "./arguments.ts";
import { badArgument } from "./failure.ts";
import { withoutShown } from "./sessions.ts";
import { boundsOf } from "./bounds.ts";
import { fitPage, type PageCall } from "./page_answer.ts";
import { answerImage, isOfImage } from "./image_answer.ts";
import {
  factsOfPage,
  PAGE_OUTPUT,
  pageSchema,
  type PageToolOptions,
} from "./page_schema.ts";
import type { CallContext, Json, ServedTool } from "./served_tool.ts";

/** The tool `read_file`: a page of a file, and the next call. */
export function readFileTool(tool: PageToolOptions): ServedTool {
  const input = pageSchema(tool);
  return {
    name: "read_file",
    title: "Read a file",
    description: [
      "Reads a text file as numbered lines, or shows an image. The first line of the answer says which lines these are of how many.",
      "If more follows, the last line is the call that goes on: make it to read further, as often as needed.",
      tool.paths,
    ].join(" "),
    input,
    output: PAGE_OUTPUT,
    async call(given, context) {
      const { scope, bounds, notes } = context;
      const taken = await takeArguments(input, given, PAGE_NAMES, notes);
      const { path, maxChars } = taken;
      return await scope.at(path, async (place) => {
        const { refresh = false, ...given } = taken.options;
        if (typeof refresh !== "boolean") {
          throw badArgument("refresh", "must be true or false");
        }
        const options = optionsOf(given, path, context);
        const call = { ...context, ...place, options, maxChars };
        const size = boundsOf(maxChars, bounds);
        try {
          const page = await fitPage(call, size);
          const facts = factsOfPage(page);
          // The answer to a cancelled call is not sent, so it shows nothing.
          if (!tool.session || context.signal.aborted) {
            return { text: page.text, facts };
          }
          const session = context.sessions.of(place.root);
          const shown = { ...page, notes };
          return { text: withoutShown(shown, session, refresh, size), facts };
        } catch (error) {
          if (!isOfImage(error)) throw error;
          return await answerImage(place, taken.options, context);
        }
      });
    },
  };
}

/** The options of a page for the library, which checks all of them but the etag. */
export function optionsOf(
  { etag, ...options }: Json,
  path: string,
  { versions }: CallContext,
): PageCall["options"] {
  return etag === undefined
    ? options
    : { ...options, etag: versions.etagOf(etag, path) };
}
