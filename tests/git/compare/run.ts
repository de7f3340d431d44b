/** Compares gitFs() with git, measures it, and reads mutants: test:git [TRIPLES [MUTANTS]]. */
import { assert } from "@std/assert";
import { spawnSync } from "node:child_process";
import { runtimeCommand } from "../../support/runtime.ts";
import {
  type Compared,
  compareFiles,
  compareRevisions,
  compareShown,
} from "./compare.ts";
import { compareChanges } from "./changes.ts";
import { fuzz } from "./fuzz.ts";
import { gitText } from "./git.ts";
import {
  foldersOf,
  makeBorrowing,
  makeHuge,
  makeLarge,
  makeOdd,
} from "./repositories.ts";
import type { MemoryTold } from "./memory_child.ts";
import { measureCold, measureSpeed } from "./speed.ts";

const [triples = 20_000, mutants = 100_000] = Deno.args.map(Number);
const OBJECTS = 150_000;
/** How much memory reading a file of 200 MB may take. */
const MOST_MIB = 96;
/** Pairs of texts: random edits, and as many versions of files. */
const PAIRS = 1000;

const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const at = (name: string) => `${base}/${name}`;
  await makeOdd(at("odd"));
  await makeOdd(at("sha256"), "sha256");
  await makeBorrowing(at("borrowing"), at("odd"));
  await makeLarge(at("large"), OBJECTS);
  const compared: Compared[] = [
    { name: "this project", folder: Deno.cwd(), allow: await foldersOf(".") },
    { name: "odd", folder: at("odd"), allow: [] },
    { name: "SHA-256", folder: at("sha256"), allow: [] },
    { name: "borrowing", folder: at("borrowing"), allow: [at("odd/.git")] },
    { name: "large", folder: at("large"), allow: [] },
  ];
  let sum = 0;
  for (const one of compared) {
    const files = await compareFiles(one, triples / compared.length);
    const names = await compareRevisions(one, triples / 50);
    const shown = await compareShown(one, 50);
    sum += files.triples;
    console.log(one.name, { ...files, ...names, shown });
  }
  console.log(`${sum} triples are equal`);
  const large = at("large");
  const paths = (await gitText(large, [
    ...["ls-tree", "-r", "--name-only", "main~5"],
  ])).split("\n");
  const [path = "", near = ""] = paths;
  const far = paths.filter((_, i) => i % 97 === 50);
  const { version } = Deno;
  const speed = await measureSpeed(large, "main~5", path, near, far, paths);
  const cold = measureCold(large, "main~5", path);
  console.log(`Deno ${version.deno}, ${OBJECTS} objects`, { ...speed, cold });
  const deep = "deep/er/file.txt";
  const one = [deep];
  const deepSpeed = await measureSpeed(at("odd"), "main", deep, deep, one, one);
  console.log("a thousand deltas", deepSpeed);
  // Its objects are written: the texts of random edits.
  await gitText(base, ["clone", "-q", "--shared", Deno.cwd(), at("changes")]);
  const changes = await compareChanges(at("changes"), PAIRS, 20_307);
  console.log("changes of ranges", changes);
  await makeHuge(at("huge"));
  const child = new URL("./memory_child.ts", import.meta.url).pathname;
  const [command, ...words] = runtimeCommand(["-A"], child);
  for (const file of ["HEAD:huge", "HEAD~2:huge", "HEAD:loose"]) {
    const [rev, path] = file.split(":");
    const args = [...words, at("huge"), rev!, path!, "small"];
    const { stdout } = spawnSync(command!, args, { encoding: "utf8" });
    const told: MemoryTold = JSON.parse(stdout);
    console.log(file, told);
    assert(told.grownMib <= MOST_MIB, `more than ${MOST_MIB} MiB`);
  }
  console.log("mutants", await fuzz(mutants, 20_306));
} finally {
  await Deno.remove(base, { recursive: true });
}
