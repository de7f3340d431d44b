/** Runs the tests of the npm package in several versions of Node.js, which npm installs, and of its bundle. */
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
const world = {
  ...{ home: Deno.cwd(), folder },
  ...{ registry: "", tarball: "", listed: [], published: [], release: "" },
};
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    ...["test", "--no-check", "--no-prompt", "--allow-all"],
    ...["--import-map=tests/npm_std.json", "tests/consumers/npm.ts"],
    "tests/consumers/mcpb.ts",
  ],
  env: {
    ...environmentOf(world),
    READ_FILE_NODES: nodes.join(":"),
    READ_FILE_MCPB: mcpb,
  },
}).spawn().status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);
