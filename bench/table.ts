// The tables of ratios for README.md and bench/README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { type Check, show, verdict } from "./check.ts";
import type { Results } from "./results.ts";

const BEGIN = "<!-- bench -->";
const END = "<!-- /bench -->";

/** The table in Markdown; by default, with every ratio and every value that has a target. */
export function tableOf(
  runs: readonly Results[],
  isWanted: (check: Check) => boolean | undefined = isInTable,
  source: (results: Results) => string = sourceOf,
): string {
  const lines = new Map<string, string[]>();
  runs.forEach(({ rows }, column) => {
    for (const { title, checks } of rows) {
      for (const check of checks.filter(isWanted)) {
        const { subject, against } = check;
        const key = [title, subject, against].join("|");
        const line = lines.get(key) ??
          [title, subject, against, "", ...runs.map(() => "")];
        line[3] = withTarget(line[3]!, check);
        line[4 + column] = shown(check);
        lines.set(key, line);
      }
    }
  });
  const header = ["what", "of ours", "against", "target"];
  const runtimes = runs.map(({ runtime }) => runtime);
  const rows = [...lines.values()].map((line, at, all) =>
    line[0] === all[at - 1]?.[0] ? ["", ...line.slice(1)] : line
  );
  return align([[...header, ...runtimes], ...rows]) +
    `\n\n${runs.map((run) => source(run)).join("\n")}`;
}

function isInTable({ unit, limit, isInTable = false }: Check): boolean {
  return unit === "×" || limit !== null || isInTable;
}

/** Joins the target of one runtime to those of the others: "≤ 3.5 × / 2.8 ×". */
function withTarget(target: string, { limit, unit }: Check): string {
  if (limit === null) return target;
  const own = `${limit} ${unit}`;
  if (target === "") return `≤ ${own}`;
  return target.endsWith(` ${own}`) ? target : `${target} / ${own}`;
}

/** A list of what each row measures. */
export function aboutRows(runs: readonly Results[]): string {
  const about = new Map(
    runs.flatMap(({ rows }) => rows).map(({ title, about }) => [title, about]),
  );
  return [...about].map(([title, text]) => `- **${title}**: ${text}`)
    .join("\n");
}

/** Replaces the text between the two marks in a file. */
export function writeBetweenMarks(path: string, content: string): void {
  const text = readFileSync(path, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) {
    throw new TypeError(`Cannot write the table: ${BEGIN} … ${END} is missing`);
  }
  const before = text.slice(0, begin + BEGIN.length);
  writeFileSync(path, `${before}\n\n${content}\n\n${text.slice(end)}`);
}

// A time is valid only for one machine, so it is shown relative to the limit.
function shown(check: Check): string {
  const { value, unit, limit } = check;
  const isTime = unit === "ms" || unit === "µs";
  const text = isTime
    ? `${show(value / limit!, "×")} of it`
    : show(value, unit);
  return verdict(check) === "miss" ? `**${text}**` : text;
}

/** The environment of a column, in a few words. */
export function shortSourceOf(
  { runtime, runtimeVersion, version, date }: Results,
): string {
  return `${runtime} ${runtimeVersion}, version ${version}, ${date}.`;
}

/** The environment and the peers of a column. */
function sourceOf(results: Results): string {
  const peers = Object.entries(results.peers).map(([name, version]) =>
    `\`${name}\` ${version}`
  );
  return `- ${shortSourceOf(results)}`.replace(
    /\.$/,
    `; peers: ${peers.join(", ") || "none"}.`,
  );
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]!.length))
  );
  const lines = rows.map((row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}
