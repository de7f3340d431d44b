import type { ReaderOptions } from "@agent-tools/read-file";

type AnswerBounds = Pick<
  ReaderOptions,
  "maxChars" | "maxAnswerBytes" | "maxAnswerLines"
>;

/** How much of an answer each agent shows, by its name in `initialize`; the README has their limits. */
const KNOWN_AGENTS: readonly (readonly [RegExp, AnswerBounds])[] = [
  [/^codex/i, {
    maxChars: 10_000,
    maxAnswerBytes: 10_000,
    maxAnswerLines: 250,
  }],
  [/^qwen/i, { maxChars: 20_000, maxAnswerLines: 900 }],
  [/^gemini/i, { maxChars: 38_000 }],
  // Cline cuts at 8,000 characters of JSON, where escapes may double the text.
  [/^@?cline/i, { maxChars: 3900 }],
  [/^copilot/i, { maxAnswerBytes: 20_000 }],
  [/^pi\b/i, { maxAnswerBytes: 20_000 }],
  [/^opencode/i, { maxAnswerBytes: 50_000, maxAnswerLines: 1900 }],
];

/** The largest answer that a client shows whole. */
export function boundsFor(client: string, maxChars: number) {
  const known = KNOWN_AGENTS.find(([name]) => name.test(client))?.[1] ?? {};
  const least = (limit: number, usual: number) => Math.min(limit, usual);
  return {
    maxChars: least(known.maxChars ?? Infinity, maxChars),
    // Agents that count bytes cut 20,000 characters of Chinese at 51,200 bytes.
    maxAnswerBytes: least(known.maxAnswerBytes ?? Infinity, 2 * maxChars),
    maxAnswerLines: least(
      known.maxAnswerLines ?? Infinity,
      Math.max(1000, Math.floor(maxChars / 20)),
    ),
  };
}
