/** Writes docs/errors.md from the calls in error_cases.ts. */
import { readFile } from "node:fs/promises";
import { OpenFileError, ToolkitReadFileError } from "../../mod.ts";
import type { ReadFileError, ReadFileErrorCode } from "../../mod.ts";
import { ERROR_CASES } from "./error_cases.ts";

const SOURCE = new URL("./error_cases.ts", import.meta.url);

/** The page; `deno fmt` formats it. */
export async function errorsPage(): Promise<string> {
  const bodies = bodiesOf(await readFile(SOURCE, "utf8"));
  const links: string[] = [];
  const sections: string[] = [];
  for (const [code, { about, advice, run }] of Object.entries(ERROR_CASES)) {
    const error = await run();
    const body = bodies.get(code);
    if (error.code !== code || body === undefined) {
      throw new Error(`The case ${code} gives ${error.code}`);
    }
    const { toolkitCode } = new ToolkitReadFileError(error);
    const { variant } = new OpenFileError(error);
    links.push(`[\`${code}\`](#${code.toLowerCase()})`);
    const lead = `${about[0]!.toUpperCase()}${about.slice(1)}: ${advice}. ` +
      `Toolkit: \`${toolkitCode}\`; open_file: \`${variant}\`.`;
    sections.push(sectionOf(code as ReadFileErrorCode, lead, body, error));
  }
  const codes = `The codes: ${links.join(", ")}.`;
  return [OPENING, codes, BESIDE, ...sections].join("\n\n") + "\n";
}

/** The source of the body of each case. */
function bodiesOf(source: string): ReadonlyMap<string, string> {
  const found = source.matchAll(
    /^ {2}(\w+): \{\n(?: {4}\w+:[^]*?\n)* {4}async run\(\) \{\n([^]*?)\n {6}return error;\n {4}\},\n {2}\},$/gm,
  );
  return new Map(Array.from(
    found,
    ([, code = "", body = ""]) => [code, body.replace(/^ {6}/gm, "")],
  ));
}

function sectionOf(
  code: ReadFileErrorCode,
  lead: string,
  body: string,
  { message, hint, details }: ReadFileError,
): string {
  const [, call = ""] = /assertRejects\(\s+\(\) => ([^]*?),\s+ReadFileError/
    .exec(body) ?? [];
  const facts = JSON.stringify(details);
  const lines = [
    `${call.replaceAll("!", "")};`,
    "",
    message,
    ...hint === undefined ? [] : [hint],
    ...facts === "{}" ? [] : [`details: ${facts}`],
  ];
  return `## ${code}\n\n${lead}\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\``;
}

const OPENING = `# Errors

<!-- Made by \`deno task docs:errors\` from tests/docs/. -->

\`\`\`ts
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "@agent-tools/read-file";
import { assertEquals } from "@std/assert";

const fs = memoryFs({ "/repo/a.txt": "one\\n" });
const workspace = await openWorkspace("/repo", { fs });
try {
  await workspace.read("A.txt");
} catch (error) {
  if (!(error instanceof ReadFileError)) throw error;
  if (!error.is("NOT_FOUND")) throw error;
  // is() narrows the type of the details.
  assertEquals(error.details.suggestions, ["a.txt"]);
  assertEquals(error.message, 'Cannot read "A.txt": nothing is there');
  assertEquals(error.hint, 'did you mean "a.txt"?');
}
\`\`\`

Every failure of a read is a \`ReadFileError\`, with a \`code\`, the \`path\` that the caller gave, \`details\` that depend on the code, a \`message\` that says what went wrong, a \`hint\` that says what to do next (\`undefined\` without advice), and the \`cause\`, an error of the file system, if any. \`error.with({ path, words })\` returns the same error with another path or message.`;

const BESIDE =
  `Each section says what the code means, what to do, its name as \`error.toolkitCode\` of a \`ToolkitReadFileError\`, and as \`error.variant\` of an \`OpenFileError\`; then a call that fails in this way, the message, the hint and the details. The four tools have their own messages for some codes; \`respond\` writes the message and, on a separate line, the hint.

A toolkit returns results instead of errors. There, \`INTERNAL\` has the code of this page in \`error.details.code\`, \`SANDBOX_VIOLATION\` replaces \`OUTSIDE_WORKSPACE\` in all tools, and a call of an unknown tool gives \`TOOL_NOT_FOUND\`. \`error.retriable\` is true
for \`CHANGED\`, and for \`IO\` with \`details.passing\`.

A program's mistake is not a \`ReadFileError\`: \`openWorkspace\` and the functions that make a tool, a toolkit or a file system throw a \`TypeError\` or \`RangeError\` for an unknown option or a wrong value. Calls that read fail with \`INVALID_ARGUMENT\`.`;
