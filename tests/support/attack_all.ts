/** Runs all attacks on the disk, in a child process. */
import type { Orders } from "../children/attacks.ts";
import {
  type AttackRow,
  type Outcome,
  rootOf,
  ROWS,
} from "../suites/attacks.ts";
import { runChild } from "./child.ts";
import type { PlantedTrees } from "./plant.ts";

/** One way to run the attacks. */
export interface Setting {
  readonly name: string;
  readonly port: Orders["port"];
  /** The wrapper of the port, if any. */
  readonly wrapping?: Orders["wrapping"];
  /** The paths that Deno may read; `undefined` for everything. */
  readonly allowed?: (
    rows: readonly AttackRow[],
    planted: PlantedTrees,
  ) => string[];
  readonly leftOut: Readonly<Record<string, string>>;
}

/** The outcomes of all attacks of a setting. One process runs them all: one process for each takes minutes. */
export function attackAll(
  setting: Setting,
  planted: PlantedTrees,
): Map<string, Outcome> {
  const { port, wrapping = "none", allowed, leftOut } = setting;
  const rows = ROWS.filter(({ id }) => !Object.hasOwn(leftOut, id));
  const attacks = rows.map((row) => {
    const base = planted.baseOf(row);
    return { id: row.id, base, root: rootOf(row, base), input: row.input };
  });
  const orders: Orders = { port, wrapping, attacks };
  const { stdout, stderr } = runChild(
    "tests/children/attacks.ts",
    [JSON.stringify(orders)],
    {
      permissions: allowed === undefined
        ? ["--allow-all"]
        : [`--allow-read=${allowed(rows, planted).join(",")}`],
    },
  );
  const lines = stdout.split("\n").filter((line) => line !== "");
  const outcomes = new Map<string, Outcome>(
    lines.map((line) => JSON.parse(line)),
  );
  if (outcomes.size < rows.length) {
    const { id } = rows[outcomes.size]!;
    throw new Error(`${setting.name}: ${id} never ended\n${stderr}`);
  }
  return outcomes;
}
