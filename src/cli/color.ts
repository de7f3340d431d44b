// Deno and Bun: each has its own way to name a package of npm.

/** The used part of highlight.js. */
export interface Highlighter {
  getLanguage(name: string): unknown;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: true },
  ): { readonly value: string };
}

const PACKAGE = "highlight.js";
const VERSION = "11.12.0";
const ENTRY = "lib/common";

/** Loads the highlighter. The address is computed, so that it is not a dependency of the library. */
export async function loadHighlighter(): Promise<Highlighter> {
  const address = "Deno" in globalThis
    ? `npm:${PACKAGE}@${VERSION}/${ENTRY}`
    : `${PACKAGE}/${ENTRY}`;
  const loaded = await import(address) as { readonly default: Highlighter };
  return loaded.default;
}

/** The language of a file by its name, if the highlighter knows it. */
export function languageOf(
  path: string,
  highlighter: Highlighter,
): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return [ending, name].find((language) =>
    highlighter.getLanguage(language) !== undefined
  );
}

/** The terminal's color of each kind of word. */
const COLORS: Readonly<Record<string, string>> = {
  addition: "\x1b[32m",
  attr: "\x1b[36m",
  attribute: "\x1b[36m",
  "built_in": "\x1b[36m",
  comment: "\x1b[90m",
  deletion: "\x1b[31m",
  doctag: "\x1b[90m",
  keyword: "\x1b[35m",
  literal: "\x1b[33m",
  meta: "\x1b[33m",
  name: "\x1b[35m",
  number: "\x1b[33m",
  quote: "\x1b[90m",
  regexp: "\x1b[31m",
  section: "\x1b[34m",
  "selector-class": "\x1b[36m",
  "selector-id": "\x1b[36m",
  "selector-tag": "\x1b[35m",
  string: "\x1b[32m",
  symbol: "\x1b[33m",
  tag: "\x1b[35m",
  title: "\x1b[34m",
  type: "\x1b[36m",
  variable: "\x1b[31m",
};

const PLAIN = "\x1b[0m";

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** Colors lines; returns them as they are if the highlighter would change a character. */
export function colorLines(
  lines: readonly string[],
  language: string,
  highlighter: Highlighter,
): readonly string[] {
  const code = lines.join("\n");
  const options = { language, ignoreIllegals: true } as const;
  const { value } = highlighter.highlight(code, options);
  let plain = "";
  let colored = "";
  const colors: string[] = [];
  for (const [piece] of value.matchAll(/<[^>]*>|&[^;]*;|[^<&]+/g)) {
    if (piece === "</span>") {
      colors.pop();
      colored += `${PLAIN}${colors.at(-1) ?? ""}`;
    } else if (piece.startsWith("<")) {
      const kind = /class="hljs-([a-z_-]+)/.exec(piece)?.[1] ?? "";
      colors.push(COLORS[kind] ?? colors.at(-1) ?? "");
      colored += colors.at(-1);
    } else {
      const text = ENTITIES[piece] ?? piece;
      plain += text;
      const color = colors.at(-1) ?? "";
      // Each line is colored separately: numbers come between them.
      colored += color === ""
        ? text
        : text.replaceAll("\n", `${PLAIN}\n${color}`);
    }
  }
  return plain === code ? colored.split("\n") : lines;
}
