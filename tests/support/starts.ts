/** Finds the commands that start the programs, in documents and help texts. */
import { parse } from "@std/toml";

/** The words of a command. */
export type Words = readonly string[];

/** The commands that can run the programs. */
const RUNNERS = ["deno", "npx", "bunx", "bun", "node"];

/** The names of the programs. */
const PROGRAM = /@agent-tools\/read-file(?!-testing)/;

/** The subcommands that only add a package to a project. */
const ADDS = ["add", "jsr", "install"];

/** Collects the commands of a document, in code blocks and inline code. */
export function startsIn(text: string): Words[] {
  // A document may be in a comment.
  const plain = text.replaceAll(/^ \* ?/gm, "");
  const starts: Words[] = [];
  const prose = plain.replaceAll(
    /^ *```(\w*).*\n([^]*?)^ *```$/gm,
    (_, kind: string, body: string) => {
      if (kind === "sh") starts.push(...startsInShell(body));
      if (kind === "json") starts.push(...startsInData(JSON.parse(body)));
      if (kind === "toml") starts.push(...startsInData(parse(body)));
      return "";
    },
  );
  for (const [, code = ""] of prose.matchAll(/`([^`]+)`/g)) {
    starts.push(...startsInShell(code));
  }
  return starts;
}

function startsInShell(text: string): Words[] {
  return text.replaceAll(/\\\n/g, " ").split("\n")
    .map((line) => line.replace(/ #.*/, "").replaceAll('"', " "))
    // Inspectors and agents start the command after `--`.
    .flatMap((line) => line.split(" -- "))
    .flatMap((part) => commandIn(part.trim().split(/\s+/)));
}

/** Finds a command in a list of words, possibly as an argument of another program. */
function commandIn(words: Words): Words[] {
  const at = words.findIndex((word) => RUNNERS.includes(word));
  const start = words.slice(at);
  return at >= 0 && !ADDS.includes(start[1] ?? "") &&
      start.some((word) => PROGRAM.test(word))
    ? [start]
    : [];
}

function startsInData(data: unknown): Words[] {
  if (typeof data !== "object" || data === null) return [];
  const { command, args } = data as Readonly<Record<string, unknown>>;
  if (Array.isArray(command)) return commandIn(command);
  if (typeof command === "string" && Array.isArray(args)) {
    return commandIn([command, ...args]);
  }
  return Object.values(data).flatMap(startsInData);
}

/** What makes a command unsafe in a hostile directory. */
export function faultsOf(words: Words, version: string): string[] {
  const [runner = ""] = words;
  const program = words.findIndex((word) => PROGRAM.test(word));
  const before = words.slice(0, program);
  const isPinned = words[program]!.endsWith(`@${version}`);
  const own = /^OWN\/node_modules\/@agent-tools\/read-file(-mcp)?\/[\w-]+\.js$/;
  const wanted: Readonly<Record<string, readonly [string, boolean][]>> = {
    deno: [
      ...["--no-config", "--no-lock", "--node-modules-dir=none"].map((flag) =>
        [flag, before.includes(flag)] as [string, boolean]
      ),
      ["a version", isPinned],
    ],
    node: [["a directory of its own", own.test(words[program]!)]],
    bun: [
      ["a directory of its own", own.test(words[program]!)],
      ...[
        "--config=/dev/null",
        "--tsconfig-override=/dev/null",
        "--no-env-file",
      ].map((flag) => [flag, before.includes(flag)] as [string, boolean]),
    ],
  };
  return (wanted[runner] ?? [[`another program than ${runner}`, false]])
    .filter(([, holds]) => !holds)
    .map(([what]) => `${words.join(" ")}: needs ${what}`);
}
