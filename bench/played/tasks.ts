// What is asked for, what the best shell line for it is, and what shows that it was found.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LEDGER, ledger } from "./fixtures.ts";

/** What a model wants to see, before it is put into the arguments of a tool. */
export type Want =
  | { readonly kind: "whole"; readonly path: string }
  | {
    readonly kind: "lines";
    readonly path: string;
    readonly start: number;
    readonly count: number;
  }
  | { readonly kind: "last"; readonly path: string; readonly count: number }
  | {
    readonly kind: "find";
    readonly path: string;
    readonly text: string;
    /** How many lines after each hit. */
    readonly after?: number;
    /** Only so many of the last hits. */
    readonly last?: number;
    readonly ignoreCase?: boolean;
  }
  | { readonly kind: "places"; readonly places: readonly Place[] }
  | { readonly kind: "search"; readonly path: string; readonly text: string }
  | { readonly kind: "list"; readonly path: string; readonly glob: string };

/** Some lines of one of several files; without `start`, its last lines. */
export interface Place {
  readonly path: string;
  readonly start?: number;
  readonly count: number;
}

/** A task. */
export interface Task {
  readonly name: string;
  readonly want: Want;
  /** All of these must be in the answers. */
  readonly evidence: readonly RegExp[];
  /** The best shell lines that someone writes who knows the files. */
  readonly shell: readonly string[];
  /** What happens to the files after the first answer. */
  readonly between?: (root: string) => void;
}

/** The tasks, each with the trap that makes it hostile in its name. */
export const TASKS: readonly Task[] = [
  {
    name: "80,000-line lockfile",
    want: {
      kind: "find",
      path: "package-lock.json",
      text: 'node_modules/tidy-queue"',
      after: 1,
    },
    evidence: [/5\.20\.81/],
    shell: ["grep -A1 'node_modules/tidy-queue\"' package-lock.json"],
  },
  {
    name: "hit in a 700 KB line",
    want: { kind: "find", path: "dist/bundle.js", text: "sessionTtl" },
    evidence: [/5417/],
    shell: ["grep -o 'sessionTtl.\\{30\\}' dist/bundle.js"],
  },
  {
    name: "one error in a log",
    want: { kind: "find", path: "logs/gateway.log", text: "ERROR" },
    evidence: [/PAY-4093/],
    shell: ["grep ERROR logs/gateway.log"],
  },
  {
    name: "last 3 failures",
    want: { kind: "find", path: "logs/worker.log", text: "FAILED", last: 3 },
    evidence: [/job 57000 FAILED/, /job 58500 FAILED/, /job 60000 FAILED/],
    shell: ["grep FAILED logs/worker.log | tail -n 3"],
  },
  {
    name: "all 120 warnings",
    want: { kind: "find", path: "logs/gateway.log", text: " WARN " },
    evidence: [/\(1 of 120\)/, /\(57 of 120\)/, /\(120 of 120\)/],
    shell: ["grep -n ' WARN ' logs/gateway.log"],
  },
  {
    name: "past the end",
    want: { kind: "lines", path: "data/readings.csv", start: 500, count: 20 },
    evidence: [/\b412\b/],
    shell: ["sed -n 500,519p data/readings.csv; wc -l data/readings.csv"],
  },
  {
    name: "empty file",
    want: { kind: "whole", path: "config/overrides.yaml" },
    evidence: [/empty|\b0 (?:lines|config)|no lines/i],
    shell: ["wc -c config/overrides.yaml"],
  },
  {
    name: "name in Unicode",
    want: { kind: "whole", path: "notes/Caf\u00e9's review 4.15 PM.txt" },
    evidence: [/2026-12-03/],
    shell: ["cat notes/Caf*"],
  },
  {
    name: "near miss of a name",
    want: { kind: "whole", path: "docs/DEPLOYMNT.md" },
    evidence: [/make canary/],
    shell: ["cat docs/DEPLOYMNT.md || cat docs/DEPLOYM*"],
  },
  {
    name: "FIFO",
    want: { kind: "whole", path: "run/events" },
    evidence: [/fifo|named pipe|not a regular file/i],
    shell: ["file run/events"],
  },
  {
    name: "gzip",
    want: { kind: "find", path: "logs/2026-10.log.gz", text: "disk full" },
    evidence: [/vol-3318/],
    shell: ["zgrep 'disk full' logs/2026-10.log.gz"],
  },
  {
    name: "UTF-16",
    want: { kind: "find", path: "config/service.ini", text: "listen_port" },
    evidence: [/7443/],
    shell: ["iconv -f utf-16 config/service.ini | grep listen_port"],
  },
  {
    name: "Shift_JIS",
    want: { kind: "find", path: "data/orders.csv", text: "返金" },
    evidence: [/大阪支店.*48210/],
    shell: ["iconv -f sjis data/orders.csv | grep 返金"],
  },
  {
    name: "unknown case",
    want: {
      kind: "find",
      path: "config/limits.toml",
      text: "request_timeout",
      ignoreCase: true,
    },
    evidence: [/4750/],
    shell: ["grep -i request_timeout config/limits.toml"],
  },
  {
    name: "4 places in 3 files",
    want: {
      kind: "places",
      places: [
        { path: "src/router.ts", start: 40, count: 19 },
        { path: "src/billing.ts", start: 10, count: 13 },
        { path: "src/billing.ts", start: 200, count: 7 },
        { path: "src/queue.ts", count: 6 },
      ],
    },
    evidence: [/router58\b/, /billing22\b/, /billing206\b/, /queue235\b/],
    shell: [
      "sed -n 40,58p src/router.ts; sed -n '10,22p;200,206p' src/billing.ts; tail -n 6 src/queue.ts",
    ],
  },
  {
    name: "function around a hit",
    want: {
      kind: "find",
      path: "src/settlement.ts",
      text: "function reconcileLedger",
      after: 99,
    },
    evidence: [/function reconcileLedger/, /entries\[92\]\?\.\w+/],
    shell: ["grep -A99 'function reconcileLedger' src/settlement.ts"],
  },
  {
    name: "last line of a log",
    want: { kind: "last", path: "logs/gateway.log", count: 1 },
    evidence: [/shutdown after 811 s/],
    shell: ["tail -n 1 logs/gateway.log"],
  },
  {
    name: "deep line of a log",
    want: {
      kind: "lines",
      path: "logs/gateway.log",
      start: 140_001,
      count: 1,
    },
    evidence: [/request 140001 ok/],
    shell: ["sed -n 140001p logs/gateway.log"],
  },
  {
    name: "picture named .txt",
    want: { kind: "whole", path: "data/export.txt" },
    evidence: [/37 ?x ?11|\[image\/png\]/],
    shell: ["file data/export.txt"],
  },
  {
    name: "directory",
    want: { kind: "whole", path: "src/auth" },
    evidence: [/SESSION_HOURS = 36/],
    shell: ["cat src/auth/*"],
  },
  {
    name: "edited between pages",
    want: { kind: "lines", path: LEDGER, start: 1, count: 8 },
    evidence: [/entry 0b: audit/],
    shell: [`sed -n 1,8p ${LEDGER}`, `sed -n 1,10p ${LEDGER}`],
    between: (root) => writeFileSync(join(root, LEDGER), ledger(true)),
  },
  {
    name: "notebook",
    want: { kind: "whole", path: "analysis/churn.ipynb" },
    evidence: [/churn 4\.71 %/, /replica_\d = frame/],
    shell: [
      `jq -r '.cells[]|(.source|add),(.outputs[]?.data["text/plain"][])' analysis/churn.ipynb`,
    ],
  },
  {
    name: "document of 100 lines",
    want: { kind: "whole", path: "docs/protocol.md" },
    evidence: [/# The relay protocol/, /relay-\d+/],
    shell: ["cat docs/protocol.md"],
  },
  {
    name: "which file of a tree",
    want: { kind: "search", path: "src", text: "retentionDays" },
    evidence: [/sweep\.ts/, /retentionDays = 45/],
    shell: ["grep -rn retentionDays src"],
  },
  {
    name: "tests deep in a tree",
    want: { kind: "list", path: "src", glob: "**/*.test.ts" },
    evidence: [/orders\.test\.ts/, /sweep\.test\.ts/],
    shell: ["find src -name '*.test.ts'"],
  },
];
