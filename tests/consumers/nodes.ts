/** Runs the tests of the packages for npm in several versions of Node.js, which npm installs, and of the server's bundle. */
import { runWell } from "./command.ts";
import { addPacked } from "./npm_parcels.ts";
import { openRegistry } from "./registry.ts";
import { environmentOf } from "./world.ts";

const VERSIONS = ["20", "22", "24"];

/** What packs bundles for applications. */
const MCPB = "@anthropic-ai/mcpb@2.1.2";

const folder = await Deno.realPath(await Deno.makeTempDir());

/** Installs a package from npm; returns the folder of its modules. */
async function install(name: string): Promise<string> {
  const prefix = `${folder}/${name.replaceAll("/", "-")}`;
  const { success } = await new Deno.Command("npm", {
    args: ["install", `--prefix=${prefix}`, "--loglevel=error", name],
  }).spawn().status;
  if (!success) Deno.exit(1);
  return `${prefix}/node_modules`;
}

const nodes: string[] = [];
for (const version of VERSIONS) {
  nodes.push(`${await install(`node@${version}`)}/node/bin/node`);
}
const mcpb = `${await install(MCPB)}/.bin/mcpb`;

/** The packages that will be published; without them, some that are made here. */
const published = Deno.env.get("READ_FILE_PACKED");
const packed = published ?? `${folder}/packed`;
if (published === undefined) {
  const pack = ["task", "--quiet", "pack", packed];
  const env = { DENO_DIR: `${folder}/deno` };
  await runWell(Deno.execPath(), pack, { cwd: Deno.cwd(), env });
}
const registry = openRegistry(() => {
  throw new Error("These tests publish nothing");
});
await addPacked(registry, packed, `${folder}/parcels`);
const world = {
  ...{ home: Deno.cwd(), folder, packed, registry: registry.url },
  ...{ tarball: "", listed: [], published: [], release: "" },
};
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    ...["test", "--no-check", "--no-prompt", "--allow-all"],
    "--import-map=tests/npm_std.json",
    ...["npm", "packages", "mcpb"].map((name) => `tests/consumers/${name}.ts`),
  ],
  env: {
    ...environmentOf(world),
    READ_FILE_NODES: nodes.join(":"),
    READ_FILE_MCPB: mcpb,
  },
}).spawn().status;
await registry[Symbol.asyncDispose]();
await Deno.remove(folder, { recursive: true });
Deno.exit(code);
