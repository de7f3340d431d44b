// Runtime-agnostic.

/** A part of one name in a glob. */
export type GlobPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "star"; readonly isDeep: boolean }
  | { readonly kind: "one"; readonly takes: CharTest }
  /** All names but these. */
  | { readonly kind: "none"; readonly of: readonly GlobName[] }
  | { readonly kind: "slash" };

/** One name of a glob. */
export type GlobName = readonly GlobPart[];

/** Tells whether a character matches. */
export type CharTest = (char: string) => boolean;

/** Tells whether a name matches. */
export type NameTest = (name: string) => boolean;

/** Normalizes text for comparison. */
export type Fold = (text: string) => string;

/** The text of a name that has no wildcards; `undefined` for other names. */
export function textOf(name: GlobName): string | undefined {
  let text = "";
  for (const part of name) {
    if (part.kind !== "text") return undefined;
    text += part.text;
  }
  return text;
}

/** Whether the name stands for any number of directories. */
export function isDeep(name: GlobName): boolean {
  const [part] = name;
  return name.length === 1 && part?.kind === "star" && part.isDeep;
}

/** Whether the name is like `!(a|b)`. */
export function isNegation(name: GlobName): boolean {
  return name[0]?.kind === "none";
}

/** Makes the test of a name; the names that it gets must be folded as well. */
export function nameTest(name: GlobName, fold: Fold): NameTest {
  const [first] = name;
  if (first?.kind === "none") {
    const tests = first.of.map((other) => nameTest(other, fold));
    return (text) => !tests.some((test) => test(text));
  }
  const parts = name.map((part) =>
    part.kind === "text" ? { ...part, text: fold(part.text) } : part
  );
  let longest = "";
  for (const part of parts) {
    if (part.kind !== "text" || part.text.length < longest.length) continue;
    longest = part.text;
  }
  let chunks: readonly (readonly CharTest[])[] | undefined;
  // Most names lack the longest text, and cost no more than this search.
  return (text) =>
    text.includes(longest) && matchChunks(chunks ??= split(parts), [...text]);
}

/** The parts between the stars, as one test for each character. */
function split(parts: GlobName): readonly (readonly CharTest[])[] {
  const chunks: CharTest[][] = [[]];
  for (const part of parts) {
    if (part.kind === "star") chunks.push([]);
    else if (part.kind === "one") chunks.at(-1)!.push(part.takes);
    else if (part.kind === "text") {
      const chars = [...part.text];
      chunks.at(-1)!.push(
        ...chars.map((one) => (char: string) => char === one),
      );
    }
  }
  return chunks;
}

/**
 * Whether the chunks, with a star between each two, match all characters. Each
 * chunk takes the first place where it fits: there is no backtracking.
 */
function matchChunks(
  chunks: readonly (readonly CharTest[])[],
  chars: readonly string[],
): boolean {
  const fits = (chunk: readonly CharTest[], at: number) =>
    chunk.every((takes, index) => takes(chars[at + index]!));
  const first = chunks[0]!;
  const last = chunks.at(-1)!;
  if (chunks.length === 1) {
    return chars.length === first.length && fits(first, 0);
  }
  const end = chars.length - last.length;
  let at = first.length;
  if (at > end || !fits(first, 0) || !fits(last, end)) return false;
  for (const chunk of chunks.slice(1, -1)) {
    while (at + chunk.length <= end && !fits(chunk, at)) at++;
    at += chunk.length;
    if (at > end) return false;
  }
  return true;
}
