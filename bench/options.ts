// The options of the bench.
import { parseArgs } from "node:util";

/** The options of one run. */
export interface Options {
  /** Whether to run on little data, as a trial whose results are meaningless. */
  readonly quick: boolean;
  /** Whether to keep the data. */
  readonly keep: boolean;
  /** A folder with the data of an earlier run. */
  readonly data: string | undefined;
  /** The folder whose `node_modules` contains the peers. */
  readonly peers: string | undefined;
  /** The rows to run; all rows by default. */
  readonly rows: readonly string[];
  /** Where to write the results. */
  readonly json: string | undefined;
  /** Whether to also run the other runtime, and write the tables and the chart. */
  readonly write: boolean;
}

/** The output of `--help`. */
export const USAGE = `Usage: bench [options]
  --quick        little data and few rounds, for trying it out
  --keep         leave the data where it is, and say where
  --data=FOLDER  use data that was kept
  --peers=FOLDER use the peers of FOLDER/node_modules
  --rows=A,B     run these rows only
  --json=FILE    write the results
  --write        run the other runtime as well, on the same data, and write
                 bench/README.md, docs/bench.svg and the table of README.md`;

/** Parses the command line; `undefined` for `--help`. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    // A task runner may pass on `--`.
    args: args.filter((arg) => arg !== "--"),
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      data: { type: "string" },
      peers: { type: "string" },
      rows: { type: "string", default: "" },
      json: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, keep, data, peers, json, write } = values;
  const rows = values.rows.split(",").filter((name) => name !== "");
  if (write && (quick || rows.length > 0)) {
    throw new TypeError(
      "Cannot write the results: the run does not include all rows",
    );
  }
  return { quick, keep, data, peers, rows, json, write };
}
