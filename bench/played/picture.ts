// Draws the tokens of each task: ours, the shell's, and those of other tools.
import type { ArmResult } from "./report.ts";
import { TASKS } from "./tasks.ts";

// Small, so that letters are large enough where a phone shrinks the picture.
const WIDTH = 480;
const LEFT = 168;
const RIGHT = 16;
const TOP = 96;
const ROW = 22;
/** The powers of ten at the ends of the axis. */
const [LOW, HIGH] = [1, 7];

// Shades that are readable on white and on black.
const STYLE = `text { font: 13px system-ui, sans-serif; fill: #57606a }
.title { font-size: 16px; font-weight: 600; fill: #24292f }
.ours { fill: #2f81f7 }
.shell { stroke: #8b949e; stroke-width: 3 }
.other { fill: #e0823d }
.failed { fill: none; stroke: #e0823d; stroke-width: 1.5 }
.grid { stroke: #8b949e; stroke-opacity: 0.3 }
@media (prefers-color-scheme: dark) {
  text { fill: #b1bac4 }
  .title { fill: #f0f6fc }
}`;

/** Draws the arms: the shell first, then ours, then the others. */
export function drawPicture(
  shell: ArmResult,
  ours: ArmResult,
  others: readonly ArmResult[],
): string {
  const parts: string[] = [];
  for (const [at, { name }] of TASKS.entries()) {
    const y = TOP + ROW * at + ROW / 2;
    parts.push(write(8, y + 4, name));
    for (const { played } of others) {
      const { tokens, isSolved } = played[at]!;
      // A tool that could not be asked was sent nothing.
      if (tokens > 0) {
        parts.push(dot(tokens, y, isSolved ? "other" : "failed", 4.5));
      }
    }
    const best = x(shell.played[at]!.tokens);
    parts.push(
      `<line class="shell" x1="${best}" y1="${y - 8}" x2="${best}" y2="${
        y + 8
      }"/>`,
      dot(ours.played[at]!.tokens, y, "ours", 5.5),
    );
  }
  const bottom = TOP + ROW * TASKS.length;
  const names = others.map(({ name }) => name);
  const half = Math.ceil(names.length / 2);
  const height = bottom + 64;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
<title id="title">Tokens of the played tasks, by tool</title>
<style>${STYLE}</style>
${
    write(
      8,
      24,
      `Tokens of ${TASKS.length} hostile tasks, by tool`,
      "title",
    )
  }
<circle class="ours" cx="16" cy="46" r="5.5"/>
${write(28, 50, "ours")}
<line class="shell" x1="80" y1="38" x2="80" y2="54"/>
${write(88, 50, "best shell line, in hindsight")}
<circle class="other" cx="278" cy="46" r="4.5"/>
${write(288, 50, "another tool")}
<circle class="failed" cx="382" cy="46" r="4.5"/>
${write(392, 50, "not solved")}
${axis(bottom).join("\n")}
${parts.join("\n")}
${write(8, bottom + 30, `Others: ${names.slice(0, half).join(", ")},`)}
${
    write(
      8,
      bottom + 48,
      `${names.slice(half).join(", ")}. The axis is logarithmic.`,
    )
  }
</svg>
`;
}

function x(tokens: number): string {
  const place = (Math.log10(tokens) - LOW) / (HIGH - LOW);
  const inside = Math.min(1, Math.max(0, place));
  return (LEFT + (WIDTH - LEFT - RIGHT) * inside).toFixed(1);
}

function dot(tokens: number, y: number, name: string, radius: number): string {
  return `<circle class="${name}" cx="${x(tokens)}" cy="${y}" r="${radius}"/>`;
}

const UNITS = ["10", "100", "1,000", "10,000", "100,000", "1 million"];

function axis(bottom: number): string[] {
  return UNITS.flatMap((unit, power) => {
    const at = x(10 ** (power + 1));
    // Every second label, or they would touch on a phone.
    const label = power % 2 === 0 ? write(Number(at) - 12, TOP - 10, unit) : "";
    return [
      `<line class="grid" x1="${at}" y1="${TOP}" x2="${at}" y2="${bottom}"/>`,
      label,
    ];
  }).filter((part) => part !== "");
}

function write(x: number, y: number, words: string, name?: string): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const attribute = name === undefined ? "" : ` class="${name}"`;
  return `<text${attribute} x="${x}" y="${y}">${escaped}</text>`;
}
