// Draws the README's ratios: a dot for each runtime on a line around 1 ×.
import { type Check, show, verdict } from "./check.ts";
import type { Results } from "./results.ts";

// Narrow, so that words stay readable on a phone.
const WIDTH = 480;
const MARGIN = 12;
const ROW = 68;
const TOP = 92;
/** The ratio at the right end of the axis; at the left end, it is 1 to this. */
const MOST = 10;

// Shades that are readable on white and on black.
const STYLE = `text { font: 13px system-ui, sans-serif; fill: #57606a }
.title { font-size: 16px; font-weight: 600 }
.row { font-weight: 600; fill: #24292f }
.end { text-anchor: end }
.middle { text-anchor: middle }
line { stroke: #8b949e; stroke-opacity: 0.45; stroke-width: 2 }
.one { stroke-opacity: 1 }
.target { stroke-opacity: 1; stroke-dasharray: 2 3 }
.run0 { fill: #2563eb; stroke: #2563eb }
.run1 { fill: #d97706; stroke: #d97706 }
.miss { fill: #cf222e; stroke: #cf222e; font-weight: 600 }
tspan { stroke: none }
circle { stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #9da7b1 }
.title, .row { fill: #e6edf3 }
.run0 { fill: #60a5fa; stroke: #60a5fa }
.run1 { fill: #fbbf24; stroke: #fbbf24 }
.miss { fill: #ff7b72; stroke: #ff7b72 }
tspan { stroke: none }
}`;

/** Draws the last run of every runtime. */
export function drawChart(runs: readonly Results[]): string {
  const lines = linesOf(runs);
  const bottom = TOP + lines.length * ROW;
  const height = bottom + 44;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">
<title id="title">How long our reads take, divided by the time of others</title>
<style>${STYLE}</style>
${text(MARGIN, 24, "Our time ÷ theirs", "title")}
${runs.map((run, at) => legend(run, at)).join("\n")}
${text(x(1) - 10, TOP - 14, "← faster", "end")}
${text(x(1) + 10, TOP - 14, "slower →")}
${lines.map((line, at) => row(line, TOP + at * ROW)).join("\n")}
${
    text(
      MARGIN,
      bottom + 14,
      `From 1/${MOST} × to ${MOST} ×, logarithmic. The line in the middle is 1 ×,`,
    )
  }
${text(MARGIN, bottom + 32, "a dotted one the target; red misses it.")}
</svg>
`;
}

interface Line {
  readonly title: string;
  readonly label: string;
  /** The check in each run; `undefined` in a run without it. */
  readonly checks: (Check | undefined)[];
}

/** The ratios that the README shows. */
function linesOf(runs: readonly Results[]): Line[] {
  const lines = new Map<string, Line>();
  runs.forEach(({ rows }, column) => {
    for (const { title, checks } of rows) {
      for (const check of checks) {
        if (check.unit !== "×" || !check.inReadme) continue;
        const label = `${check.subject} ÷ ${check.against}`;
        const key = `${title}|${label}`;
        const line = lines.get(key) ??
          { title, label, checks: runs.map(() => undefined) };
        lines.set(key, line);
        line.checks[column] = check;
      }
    }
  });
  return [...lines.values()];
}

function row({ title, label, checks }: Line, top: number): string {
  const y = top + 42;
  const one = x(1).toFixed(1);
  const values = checks.map((check, run) => {
    if (check === undefined) return "";
    const name = verdict(check) === "miss" ? "miss" : `run${run}`;
    return `<tspan class="${name}">${show(check.value, "×")}</tspan>`;
  }).filter((value) => value !== "").join(" ");
  const marks = checks.flatMap((check, run) => {
    if (check === undefined) return [];
    const { value, limit } = check;
    const at = x(value).toFixed(1);
    const miss = verdict(check) === "miss" ? " miss" : "";
    const dot =
      `<circle class="run${run}${miss}" cx="${at}" cy="${y}" r="6" fill-opacity="${
        run === 0 ? 1 : 0.35
      }"/>`;
    if (limit === null) return [dot];
    const target = x(limit).toFixed(1);
    return [
      `<line class="target" x1="${target}" y1="${y - 8}" x2="${target}" y2="${
        y + 8
      }"/>`,
      dot,
    ];
  });
  return [
    text(MARGIN, top + 10, title, "row"),
    `<text class="end" x="${WIDTH - MARGIN}" y="${top + 10}">${values}</text>`,
    text(MARGIN, top + 26, label),
    `<line x1="${MARGIN}" y1="${y}" x2="${WIDTH - MARGIN}" y2="${y}"/>`,
    `<line class="one" x1="${one}" y1="${y - 11}" x2="${one}" y2="${y + 11}"/>`,
    ...marks,
  ].join("\n");
}

/** The place of a ratio; one beyond an end is drawn at the end. */
function x(ratio: number): number {
  const place = Math.log10(ratio) / Math.log10(MOST);
  const half = WIDTH / 2 - MARGIN;
  return WIDTH / 2 + half * Math.min(1, Math.max(-1, place));
}

function legend(
  { runtime, runtimeVersion, date }: Results,
  at: number,
): string {
  const left = MARGIN + 6 + at * 210;
  const words = `${runtime} ${runtimeVersion}, ${date}`;
  return `<circle class="run${at}" cx="${left}" cy="44" r="6" fill-opacity="${
    at === 0 ? 1 : 0.35
  }"/>\n${text(left + 12, 49, words)}`;
}

function text(x: number, y: number, words: string, name?: string): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const attribute = name === undefined ? "" : ` class="${name}"`;
  return `<text${attribute} x="${x}" y="${y}">${escaped}</text>`;
}
