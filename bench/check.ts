// One thing that was measured, and what it is held to.
import type { Data } from "./data.ts";
import type { Peer } from "./peers.ts";

/** What a value counts. */
export type Unit = "×" | "KiB" | "MiB" | "ms" | "µs";

/** A ratio, or a quantity that the targets limit. */
export interface Check {
  /** What of ours was measured. */
  readonly subject: string;
  /** What it was measured against. */
  readonly against: string;
  readonly value: number;
  readonly unit: Unit;
  /** The most that is allowed; `null` if the value is only stated. */
  readonly limit: number | null;
  /** Whether the README shows it; docs/bench.md shows every ratio and every limit. */
  readonly inReadme?: boolean;
  /** Shows it in docs/bench.md, which otherwise has only ratios and limits. */
  readonly isInTable?: boolean;
  /** Microseconds a call, of the subject and of what it was measured against. */
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

/** What a row has to work with. */
export interface Bench {
  readonly data: Data;
  readonly peers: readonly Peer[];
  /** Few rounds, for trying it out. */
  readonly quick: boolean;
}

/** How a check came out. */
export function verdict({ value, limit }: Check): "ok" | "miss" | "" {
  if (limit === null) return "";
  return value <= limit ? "ok" : "miss";
}

/** A value as it is shown, with its unit. */
export function show(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  const number = value.toFixed(digits);
  return unit === "×" ? `${number} ×` : `${number} ${unit}`;
}
