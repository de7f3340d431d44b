/**
 * The library, the server, the command line and unit tests in Windows builds of
 * Node.js, Deno and Bun, under wine. Needs root, Debian's packages and npm; `deno
 * task test:wine [DIR] [PART]` keeps what it downloads in DIR, and unmounts all at the
 * end. With PART, it runs only the unit tests whose paths include it.
 */
import map from "../npm_std.json" with { type: "json" };
import { runUnits } from "./units.ts";
import { RUNTIMES, Wine } from "./wine.ts";

const [
  home = `${Deno.env.get("TMPDIR") ?? "/tmp"}/read-file-wine`,
  part,
] = Deno.args;
await Deno.mkdir(home, { recursive: true });
await using wine = await Wine.open(await Deno.realPath(home));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(
    signal,
    () => void wine.close().then(() => Deno.exit(1)),
  );
}

let wrong = 0;
const fail = (message: string) => {
  wrong++;
  console.error(message);
};

interface Probed {
  readonly answers: readonly {
    readonly asked: string;
    readonly told: string;
    readonly wanted: string;
  }[];
  readonly leaks: readonly string[];
}

/** Runs the probes in each runtime, then servers and command lines. */
async function runPrograms(): Promise<void> {
  const aliases = Object.entries(map.imports)
    .filter(([name]) => name.startsWith("@std/"))
    .map(([name, target]) =>
      `--alias:${name}=${target.replace(/^npm:(deno-std)@[^/]+/, "$1")}`
    );
  for (
    const [entry, file] of [
      ["tests/platforms/probe.ts", "probe"],
      ["tests/wine/driver.ts", "driver"],
      ["tests/wine/cli.ts", "cli"],
      ["mcp/npm/start.ts", "server"],
    ] as const
  ) {
    const { success } = await new Deno.Command("node_modules/.bin/esbuild", {
      args: [
        entry,
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--target=node20",
        "--log-level=error",
        "--alias:@agent-tools/read-file=./mod.ts",
        "--external:@agent-tools/*",
        "--external:highlight.js",
        ...aliases,
        `--outfile=${wine.shared}/${file}.mjs`,
      ],
    }).spawn().status;
    if (!success) throw new Error(`Cannot bundle ${entry}`);
  }

  const verdicts = new Set<string>();
  for (const runtime of RUNTIMES) {
    const out = `${wine.shared}/out.json`;
    await Deno.remove(out).catch(() => {});
    await Deno.remove(`${wine.drive}/world`, { recursive: true }).catch(
      () => {},
    );
    const permissions = runtime === "Deno"
      ? ["run", "--quiet", "--no-prompt", "-A"]
      : [];
    const failure = await wine.run(runtime, [
      ...permissions,
      "probe.mjs",
      wine.windowsPath("out.json"),
    ]);
    if (failure !== "") {
      fail(`${runtime}: ${failure}`);
      continue;
    }
    const { answers, leaks }: Probed = JSON.parse(await Deno.readTextFile(out));
    for (const leak of leaks) fail(`${runtime}: LEAK ${leak}`);
    for (const { asked, told, wanted } of answers) {
      if (told !== wanted) {
        fail(`${runtime}: ${asked} is ${told}, not ${wanted}`);
      }
    }
    verdicts.add(JSON.stringify(answers));
    console.log(`${runtime}: ${answers.length} answers, ${leaks.length} leaks`);
  }
  if (verdicts.size > 1) fail("The runtimes answer differently");

  const out = `${wine.shared}/driven.json`;
  await Deno.remove(out).catch(() => {});
  const failure = await wine.run("Bun", [
    "driver.mjs",
    wine.windowsPath("driven.json"),
    ...RUNTIMES.map((runtime) => wine.program(runtime)),
    "--",
    wine.windowsPath("server.mjs"),
    wine.windowsPath("cli.mjs"),
  ]);
  if (failure !== "") fail(`The driver: ${failure}`);
  else {
    const told = JSON.parse(await Deno.readTextFile(out));
    for (const { asked, part, said, isRight } of told) {
      if (!isRight) {
        fail(`${asked}: ${JSON.stringify(said)} lacks ${JSON.stringify(part)}`);
      }
    }
    console.log(`${told.length} answers of servers and command lines`);
  }
}

if (part === undefined) await runPrograms();
for (const failure of await runUnits(wine, part)) fail(failure);
if (wrong > 0) console.error(`${wrong} wrong`);
Deno.exitCode = wrong === 0 ? 0 : 1;
