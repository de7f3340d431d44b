// What the played tasks showed: targets, tables and the documents that hold them.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Played, tokensOf } from "./player.ts";
import { TASKS } from "./tasks.ts";

/** All tasks in one arm, in their order. */
export interface ArmResult {
  readonly name: string;
  /** What the model is told of the tools, once. */
  readonly definitions: string;
  readonly played: readonly Played[];
}

const sum = (numbers: readonly number[]) =>
  numbers.reduce((one, other) => one + other, 0);

/** Calls beyond one for each task. */
const MORE_CALLS = 4;
/** How much a task may cost more than in the shell: tokens, or a share. */
const MORE_TOKENS = 150;
const MORE_SHARE = 0.2;
/** The longest wait. */
const MOST_MS = 1000;

/** Which targets our arms miss, in words. */
export function missedTargets(
  shell: ArmResult,
  ours: readonly ArmResult[],
): string[] {
  const misses = shell.played.filter(({ isSolved }) => !isSolved)
    .map(({ task }) => `${task}: the shell line does not show the evidence`);
  for (const { name, played } of ours) {
    for (const [at, one] of played.entries()) {
      const { task, isSolved, tokens, ms, deadEnd } = one;
      const best = shell.played[at]!.tokens;
      const most = best + Math.max(MORE_TOKENS, Math.floor(best * MORE_SHARE));
      const of = `${name}, ${task}`;
      if (!isSolved) misses.push(`${of}: not solved, ${deadEnd}`);
      if (tokens > most) {
        misses.push(`${of}: ${tokens} tokens, at most ${most}`);
      }
      if (ms > MOST_MS) misses.push(`${of}: ${Math.round(ms)} ms`);
    }
    const calls = sum(played.map(({ calls }) => calls));
    const most = played.length + MORE_CALLS;
    if (calls > most) misses.push(`${name}: ${calls} calls, at most ${most}`);
  }
  const [one, ...others] = ours;
  for (const other of others) misses.push(...differences(one!, other));
  return misses;
}

/** Where two arms were answered in other words, but for etags: those differ with each edit. */
function differences(one: ArmResult, other: ArmResult): string[] {
  const plain = ({ texts }: Played) =>
    texts.join("\n\n").replace(/"etag":"\w+"/g, '"etag":""');
  return one.played.flatMap((played, at) =>
    plain(played) === plain(other.played[at]!)
      ? []
      : [`${played.task}: ${one.name} and ${other.name} differ`]
  );
}

/** The table of arms, for README.md. */
export function tableOfArms(arms: readonly ArmResult[]): string {
  const header = [
    "tools",
    "solved",
    "calls",
    "tokens",
    "dead ends",
    "definitions",
  ];
  return align([
    header,
    ...arms.map(({ name, definitions, played }) => [
      name,
      `${played.filter(({ isSolved }) => isSolved).length} of ${played.length}`,
      `${sum(played.map(({ calls }) => calls))}`,
      count(sum(played.map(({ tokens }) => tokens))),
      `${played.filter(({ deadEnd }) => deadEnd !== undefined).length}`,
      count(tokensOf(definitions)),
    ]),
  ]);
}

/** The table of tasks: tokens, with the calls if they are several; unsolved ones in brackets. */
export function tableOfTasks(arms: readonly ArmResult[]): string {
  const rows = TASKS.map(({ name }, at) => [
    name,
    ...arms.map(({ played }) => {
      const { isSolved, calls, tokens } = played[at]!;
      const text = calls > 1 ? `${count(tokens)} in ${calls}` : count(tokens);
      return isSolved ? text : `(${text})`;
    }),
  ]);
  const names = arms.map(({ name }) => name);
  const told = arms.map(({ definitions }) => count(tokensOf(definitions)));
  return align([
    ["tokens", ...names],
    ...rows,
    ["definitions, told once", ...told],
  ]);
}

/** The table of what was asked for. */
export function tableOfWants(): string {
  const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;
  return align([
    ["task", "best shell line", "evidence"],
    ...TASKS.map(({ name, shell, evidence }) => [
      name,
      shell.map(code).join(", after the edit "),
      evidence.map(({ source }) => code(source)).join(", "),
    ]),
  ]);
}

/** Why tasks were dead ends. */
export function listOfEnds(arms: readonly ArmResult[]): string {
  return arms.flatMap(({ name, played }) =>
    played.filter(({ deadEnd }) => deadEnd !== undefined)
      .map(({ task, deadEnd }) => `- ${name}, ${task}: ${deadEnd}`)
  ).join("\n");
}

/** A number with a comma for each three digits. */
function count(number: number): string {
  return number.toLocaleString("en-US");
}

function align(rows: readonly (readonly string[])[]): string {
  const [header = [], ...body] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...body.map(line)]
    .join("\n");
}

/** Replaces the table of a document whose header begins like that of the new one. */
export function writeTable(path: string, table: string): void {
  const file = fileURLToPath(new URL(path, import.meta.url));
  const old = readFileSync(file, "utf8");
  const [name = ""] = /^\| [^|]*[^ |]/.exec(table) ?? [];
  const from = old.indexOf(`\n${name}`) + 1;
  if (from === 0) throw new TypeError(`${path} has no table of ${name}`);
  const end = old.indexOf("\n\n", from);
  const after = end < 0 ? "\n" : old.slice(end);
  writeFileSync(file, old.slice(0, from) + table + after);
}
