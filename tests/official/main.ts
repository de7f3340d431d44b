/**
 * Runs the official conformance suite, from npm, against the MCP server, and holds
 * its red scenarios against the table in reds.ts.
 */
import { openBridge } from "./bridge.ts";
import { SLOW_FILE } from "./aliases.ts";
import { RED_CHECKS, REDS } from "./reds.ts";

/** The suite needs Node.js 22. */
const NODE = "node@22";

/** What is run: a version of the suite, with these options. */
const RUNS: readonly (readonly [version: string, ...options: string[]])[] = [
  ["0.1.16", "--suite", "all", "--spec-version", "2025-11-25"],
  ["0.2.0-alpha.12", "--requirements", "2025-11-25"],
  ["0.2.0-alpha.12", "--requirements", "2026-07-28"],
];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** A PNG of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const base = await Deno.realPath(await Deno.makeTempDir());
const faults: string[] = [];
try {
  const folder = `${base}/files`;
  await Deno.mkdir(folder);
  const pixel = Uint8Array.from(atob(PIXEL), (char) => char.charCodeAt(0));
  await Deno.writeTextFile(`${folder}/a.txt`, "one\n");
  await Deno.writeFile(`${folder}/pic.png`, pixel);
  await Deno.writeTextFile(
    `${folder}/${SLOW_FILE}`,
    "a line\n".repeat(1_000_000),
  );
  await using server = await openBridge(folder);
  const { port } = server.addr as Deno.NetAddr;
  for (const [at, [version, ...options]] of RUNS.entries()) {
    const prefix = await install(version);
    const output = `${base}/run${at}`;
    const args = [
      `${prefix}/node_modules/@modelcontextprotocol/conformance/dist/index.js`,
      ...["server", "--url", `http://127.0.0.1:${port}/mcp`],
      ...options,
      ...["-o", output],
    ];
    const node = `${prefix}/node_modules/node/bin/node`;
    // It exits with 1 if a scenario is red, so the reports decide.
    await new Deno.Command(node, { args, cwd: prefix }).output();
    await judge(`${version} ${options.join(" ")}`, output);
  }
} finally {
  await Deno.remove(base, { recursive: true });
}
for (const fault of faults) console.log(fault);
Deno.exitCode = faults.length === 0 ? 0 : 1;

/** Installs a version of the suite and its Node.js; returns the folder. */
async function install(version: string): Promise<string> {
  const prefix = `${base}/suite-${version}`;
  const name = `@modelcontextprotocol/conformance@${version}`;
  const { success } = await new Deno.Command("npm", {
    args: ["install", `--prefix=${prefix}`, "--loglevel=error", name, NODE],
    stdout: "null",
  }).spawn().status;
  if (!success) throw new Error(`npm could not install ${name}`);
  return prefix;
}

/** Compares the reports of a run with the table, and prints its figures. */
async function judge(run: string, output: string): Promise<void> {
  const scenarios = new Map<string, readonly Check[]>();
  for await (const { name } of Deno.readDir(output)) {
    const text = await Deno.readTextFile(`${output}/${name}/checks.json`);
    const [, scenario = name] =
      /^(?:server-)?(.*?)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
    scenarios.set(scenario, JSON.parse(text));
  }
  if (scenarios.size === 0) faults.push(`${run}: no scenario ran`);
  let green = 0;
  let passed = 0;
  let failed = 0;
  for (const [scenario, checks] of [...scenarios].sort()) {
    const reds = checks.filter(({ status }) => status === "FAILURE");
    passed += checks.filter(({ status }) => status === "SUCCESS").length;
    failed += reds.length;
    if (reds.length === 0) green++;
    const known = RED_CHECKS[scenario];
    if (known === undefined) {
      const isKnown = Object.hasOwn(REDS, scenario);
      if (isKnown === reds.length > 0) continue;
      const why = reds.map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
      faults.push(
        `${run}: ${scenario} is ${isKnown ? "green" : `red: ${why}`}`,
      );
      continue;
    }
    const ids = new Set(reds.map(({ id }) => id));
    for (const { id, errorMessage } of reds) {
      if (Object.hasOwn(known, id)) continue;
      faults.push(`${run}: ${scenario}: ${id} is red: ${errorMessage}`);
    }
    for (const id of Object.keys(known)) {
      if (!ids.has(id)) faults.push(`${run}: ${scenario}: ${id} is green`);
    }
  }
  console.log(
    `${run}: ${green} of ${scenarios.size} scenarios green, ${passed} checks passed, ${failed} failed`,
  );
}
