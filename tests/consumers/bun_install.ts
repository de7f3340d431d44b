/** Sets up a Bun repository for consumer tests. */
import { runWell, type Surroundings } from "./command.ts";
import { freshFolder, worldHere, writeFiles } from "./world.ts";

const world = worldHere();
const SOURCES = `${world.home}/tests/consumers`;

const TSCONFIG = {
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "ESNext.Disposable", "DOM", "DOM.Iterable"],
    module: "Preserve",
    moduleResolution: "Bundler",
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    // Check the declarations of the package, too.
    skipLibCheck: false,
    types: [],
    paths: { "bun:test": ["./bun_test.d.ts"] },
  },
};

/** A new repository with an installed archive of the library. */
export async function moveIn(
  name: string,
  archive: string,
): Promise<Surroundings> {
  const cwd = await freshFolder(`${name}/repository`);
  const read = (path: string) => Deno.readTextFile(`${SOURCES}/${path}`);
  await writeFiles(cwd, {
    "package.json": '{ "name": "stranger", "type": "module" }',
    // As `jsr add` writes it, but with the registry on the loopback.
    ".npmrc": `@jsr:registry=${world.registry}\n`,
    "tsconfig.json": JSON.stringify(TSCONFIG),
    "bun_test.d.ts": await read("bun_repository/bun_test.d.ts"),
    "agent.ts": await read("bun_repository/agent.ts"),
    "agent.test.ts": await read("bun_repository/agent_check.ts"),
    "reads.mjs": await read("node_script/reads.mjs"),
  });
  await Deno.copyFile(archive, `${cwd}/x.tgz`);
  const env = {
    HOME: `${cwd}/../home`,
    BUN_INSTALL_CACHE_DIR: `${cwd}/../cache`,
  };
  const surroundings = { cwd, env };
  await runWell(
    `${world.home}/node_modules/.bin/bun`,
    ["add", "./x.tgz"],
    surroundings,
  );
  return surroundings;
}
