// Draws the ratios as bars; bars left of the line are faster.
import { type Check, show } from "./check.ts";
import type { Results } from "./results.ts";

const WIDTH = 960;
const LABELS = 470;
/** The distance of the values from the right edge. */
const VALUES = 70;
const BAR = 9;
const LINE = 30;
const TOP = 64;
/** The powers of ten at the ends of the axis. */
const [LOW, HIGH] = [-4, 1.5];

const COLORS = ["#3b82f6", "#f59e0b"];

// Shades of gray that are readable on white and on black.
const STYLE = `text { font: 12px system-ui, sans-serif; fill: #6e7781 }
.title { font-size: 16px; font-weight: 600 }
.row { font-weight: 600 }
.grid { stroke: #8b949e; stroke-opacity: 0.35 }
.one { stroke: #8b949e; stroke-width: 2 }
.target { stroke: #ef4444; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #c9d1d9 } }`;

/** Draws the last run of every runtime. */
export function drawChart(runs: readonly Results[]): string {
  const parts: string[] = [];
  let y = TOP + 20;
  for (const { title, lines } of chartRows(runs)) {
    parts.push(text(12, y + 10, title, "row"));
    y += 22;
    for (const { label, limit, checks } of lines) {
      parts.push(text(24, y + 14, label));
      checks.forEach((check, run) => {
        if (check === undefined) return;
        parts.push(...bar(y + 2 + run * (BAR + 2), check.value, run));
      });
      if (limit !== null) parts.push(mark(x(limit), y, y + LINE - 6, "target"));
      y += LINE;
    }
    y += 6;
  }
  const height = y + 72;
  const heading = runs.map((run, at) => legend(run, at)).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">
<title id="title">How long our reads take, as ratios</title>
<style>${STYLE}</style>
${text(12, 24, "Time of ours ÷ time of the other; shorter is faster", "title")}
${heading}
${grid(TOP + 8, y).join("\n")}
${parts.join("\n")}
${text(12, y + 22, "Red: the target. The axis is logarithmic; 1 × is as fast.")}
${peerLines(runs, y + 40)}
</svg>
`;
}

interface Line {
  readonly label: string;
  readonly limit: number | null;
  /** The check in each run; `undefined` in a run without it. */
  readonly checks: (Check | undefined)[];
}

/** The ratios of the runs, row by row; other values are only in the table. */
function chartRows(
  runs: readonly Results[],
): { readonly title: string; readonly lines: readonly Line[] }[] {
  const rows = new Map<string, Map<string, Line>>();
  runs.forEach((run, column) => {
    for (const { title, checks } of run.rows) {
      for (const check of checks) {
        if (check.unit !== "×") continue;
        const lines = rows.get(title) ?? new Map<string, Line>();
        rows.set(title, lines);
        const label = `${check.subject} ÷ ${check.against}`;
        const line: Line = lines.get(label) ??
          { label, limit: check.limit, checks: runs.map(() => undefined) };
        lines.set(label, line);
        line.checks[column] = check;
      }
    }
  });
  return [...rows].map(([title, lines]) => ({
    title,
    lines: [...lines.values()],
  }));
}

function x(ratio: number): number {
  const place = (Math.log10(ratio) - LOW) / (HIGH - LOW);
  const room = WIDTH - LABELS - VALUES;
  return LABELS + room * Math.min(1, Math.max(0, place));
}

function bar(y: number, ratio: number, run: number): string[] {
  const width = (x(ratio) - LABELS).toFixed(1);
  const color = COLORS[run % COLORS.length];
  return [
    `<rect x="${LABELS}" y="${y}" width="${width}" height="${BAR}" fill="${color}"/>`,
    text(WIDTH - VALUES + 12, y + BAR, show(ratio, "×")),
  ];
}

function grid(top: number, bottom: number): string[] {
  const marks: string[] = [];
  for (let power = LOW; power <= HIGH; power++) {
    const at = x(10 ** power);
    marks.push(mark(at, top, bottom, power === 0 ? "one" : "grid"));
    marks.push(text(at - 12, top - 4, `${10 ** power} ×`));
  }
  return marks;
}

function mark(x: number, top: number, bottom: number, name: string): string {
  const at = x.toFixed(1);
  return `<line class="${name}" x1="${at}" y1="${top}" x2="${at}" y2="${bottom}"/>`;
}

function legend(
  { runtime, runtimeVersion, version, date }: Results,
  at: number,
): string {
  const color = COLORS[at % COLORS.length];
  const x = 12 + at * 300;
  const words = `${runtime} ${runtimeVersion}, read-file ${version}, ${date}`;
  return `<rect x="${x}" y="34" width="10" height="10" fill="${color}"/>\n${
    text(x + 16, 43, words)
  }`;
}

/** The versions of the peers, several per line. */
function peerLines(runs: readonly Results[], y: number): string {
  const versions = Object.assign({}, ...runs.map(({ peers }) => peers));
  const words = Object.entries(versions).map((peer) => peer.join(" "));
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half), words.slice(half)]
    .map((line, at) => text(12, y + at * 18, line.join(", "))).join("\n");
}

function text(x: number, y: number, words: string, name?: string): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const attribute = name === undefined ? "" : ` class="${name}"`;
  return `<text${attribute} x="${x}" y="${y}">${escaped}</text>`;
}
