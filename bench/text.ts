// Prints the results as text.
import { type Check, type Result, show, verdict } from "./check.ts";

/** One row: a line for each check, with its medians at the end. */
export function rowText(
  { name, title, about, checks, reason }: Result,
): string {
  const lines = checks.map((check) => {
    const { subject, against, value, unit, limit } = check;
    const target = limit === null ? "" : `≤ ${limit} ${unit}`;
    return [
      `  ${subject} : ${against}`.padEnd(78),
      show(value, unit).padStart(11),
      target.padStart(10),
      verdict(check).padEnd(4),
      medians(check),
    ].join("  ").trimEnd();
  });
  if (reason !== undefined) lines.push(`  not measured: ${reason}`);
  return [`${title} [${name}]`, `  ${about}`, ...lines, ""].join("\n");
}

function medians({ medians }: Check): string {
  return medians === undefined ? "" : medians.map(time).join(" : ");
}

function time(micros: number): string {
  return micros < 1000
    ? `${micros.toFixed(1)} µs`
    : `${(micros / 1000).toFixed(1)} ms`;
}
