/** The part of highlight.js that is used: it marks the words of a program by HTML. */
export interface Highlighter {
  /** Returns the definition of a language; `undefined` for an unknown one. */
  getLanguage(name: string): unknown;
  /** Returns the code as HTML. */
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: true },
  ): { readonly value: string };
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

/** The kinds of words that each color of the terminal shows. */
const COLORS: Readonly<Record<number, string>> = {
  31: "deletion regexp variable",
  32: "addition string",
  33: "literal meta number symbol",
  34: "section title",
  35: "keyword name selector-tag tag",
  36: "attr attribute built_in type selector-class selector-id",
  90: "comment doctag quote",
};

function colorOf(kind: string): string | undefined {
  const [code] = Object.entries(COLORS)
    .find(([, kinds]) => kinds.split(" ").includes(kind)) ?? [];
  return code && `\x1b[${code}m`;
}

const PLAIN = "\x1b[0m";

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/**
 * Colors lines for a terminal, and returns a line for each. If the text of the
 * highlighter's HTML differs from the lines, they are returned without colors.
 * Hidden characters must be escaped before: a file must not control the terminal.
 */
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
      colors.push(colorOf(kind) ?? colors.at(-1) ?? "");
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
