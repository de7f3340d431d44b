/** Runs the tests of the npm package in several versions of Node.js, which npm installs. */
import { environmentOf } from "./world.ts";

const VERSIONS = ["20", "22", "24"];

const folder = await Deno.realPath(await Deno.makeTempDir());
const nodes: string[] = [];
for (const version of VERSIONS) {
  const prefix = `${folder}/node${version}`;
  const { success } = await new Deno.Command("npm", {
    args: [
      "install",
      `--prefix=${prefix}`,
      "--loglevel=error",
      `node@${version}`,
    ],
  }).spawn().status;
  if (!success) Deno.exit(1);
  nodes.push(`${prefix}/node_modules/node/bin/node`);
}
const world = {
  ...{ home: Deno.cwd(), folder },
  ...{ registry: "", tarball: "", listed: [], published: [], release: "" },
};
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    ...["test", "--no-check", "--no-prompt", "--allow-all"],
    ...["--import-map=tests/npm_std.json", "tests/consumers/npm.ts"],
  ],
  env: { ...environmentOf(world), READ_FILE_NODES: nodes.join(":") },
}).spawn().status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);
