/** What a reply should be, without its text. */
import type { ToolReply } from "../../mod.ts";

/** Adds the text that a model is handed: the content, and below it a line for each note. */
export function replyOf(expected: Omit<ToolReply, "text">): ToolReply {
  const { content, notes = [] } = expected;
  const below = notes.map((note) => `Note: ${note}`);
  const parts = content === "" ? below : [content, ...below];
  return { text: parts.join("\n"), ...expected };
}
