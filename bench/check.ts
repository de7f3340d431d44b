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
  /** The largest allowed value; `null` without a limit. */
  readonly limit: number | null;
  /** Whether the README shows it; bench/README.md shows every ratio and every limit. */
  readonly inReadme?: boolean;
  /** Shows it in bench/README.md, even without a ratio or a limit. */
  readonly isInTable?: boolean;
  /** Microseconds per call, of the subject and of the comparison. */
  readonly medians?: readonly [number, number];
}

/** A row of the table of targets. */
export interface Row {
  /** The name in `--rows`. */
  readonly name: string;
  readonly title: string;
  /** What is measured, in one or two sentences. */
  readonly about: string;
  /** Measures the row, or returns the reason why it cannot be measured. */
  measure(bench: Bench): Promise<readonly Check[] | string>;
}

/** A row that was measured. */
export interface Result {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly checks: readonly Check[];
  /** Why the row has no checks. */
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

/** Formats a value with its unit. */
export function show(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  const number = value.toFixed(digits);
  return unit === "×" ? `${number} ×` : `${number} ${unit}`;
}
