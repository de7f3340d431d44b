// One measurement and its limit.
import type { Data } from "./data.ts";
import type { Peer } from "./peers.ts";

/** The unit of a value. */
export type Unit = "×" | "KiB" | "MiB" | "ms" | "µs";

/** A ratio, or another value with a target. */
export interface Check {
  /** What was measured. */
  readonly subject: string;
  /** What it was measured against. */
  readonly against: string;
  readonly value: number;
  readonly unit: Unit;
  /** The largest allowed value; `null` if there is no limit. */
  readonly limit: number | null;
  /** Whether the README shows it; docs/bench.md shows every ratio and every limit. */
  readonly inReadme?: boolean;
  /** Shows it in docs/bench.md, which otherwise has only ratios and limits. */
  readonly isInTable?: boolean;
  /** Microseconds per call, of the subject and of what it was measured against. */
  readonly medians?: readonly [number, number];
}

/** A row of the table of targets. */
export interface Row {
  /** What `--rows` calls it. */
  readonly name: string;
  readonly title: string;
  /** What is measured, in a sentence or two. */
  readonly about: string;
  /** Measures it; a string says why that cannot be done here. */
  measure(bench: Bench): Promise<readonly Check[] | string>;
}

/** A row that was measured. */
export interface Result {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly checks: readonly Check[];
  /** Why there are none. */
  readonly reason?: string;
}

/** The inputs of a row. */
export interface Bench {
  readonly data: Data;
  readonly peers: readonly Peer[];
  /** Whether to run few rounds, as a trial. */
  readonly quick: boolean;
}

/** The verdict on a check. */
export function verdict({ value, limit }: Check): "ok" | "miss" | "" {
  if (limit === null) return "";
  return value <= limit ? "ok" : "miss";
}

/** Shows a value with its unit. */
export function show(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  const number = value.toFixed(digits);
  return unit === "×" ? `${number} ×` : `${number} ${unit}`;
}
