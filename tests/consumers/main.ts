// Publishes the packages to a registry on the loopback, and runs the consumer tests against it.
import library from "../../deno.json" with { type: "json" };
import { copyPackage, dryRun, MEMBERS } from "../gate/package_copy.ts";
import { dirname } from "@std/path";
import { filesOf, unpack } from "./archive.ts";
import { cacheWithBundler } from "./bundler_cache.ts";
import { packAsJsr } from "./npm_layer.ts";
import { addPacked } from "./npm_parcels.ts";
import { runWell } from "./command.ts";
import { openRegistry, type Release } from "./registry.ts";
import { stdPackages } from "./std_packages.ts";
import { environmentOf } from "./world.ts";

const TESTS = Deno.args.length > 0 ? Deno.args : [
  ...["deno", "bun", "npm", "packages", "edge", "starts"],
  ...["release", "score"],
];

const home = Deno.cwd();
const base = await Deno.realPath(await Deno.makeTempDir());
const releases = `${base}/releases`;
const release = `${releases}/${library.name}`;
const registry = openRegistry(receive);
try {
  for (const std of await stdPackages(home, `${base}/std`)) registry.add(std);
  const copy = `${base}/copy`;
  await copyPackage(copy, MEMBERS);
  await Deno.symlink(`${home}/node_modules`, `${copy}/node_modules`);
  const env = { JSR_URL: registry.url, DENO_DIR: `${base}/deno` };
  // A fake token: all requests go to the loopback.
  const publish = [
    ...["publish", "--allow-dirty", "--no-provenance", "--token=-"],
    // The step `publish` checks the types, and so does a consumer.
    "--no-check",
  ];
  const [{ files: listed }] = await Promise.all([
    dryRun(copy, env),
    runWell(Deno.execPath(), publish, { cwd: copy, env }),
  ]);
  for (const member of MEMBERS) {
    const cwd = `${copy}/${member}`;
    await runWell(Deno.execPath(), publish, { cwd, env });
  }
  const packed = `${base}/packed`;
  // With @std from the registry, as for a release.
  const task = ["task", "--quiet", "pack", packed, "jsr"];
  const cache = await cacheWithBundler(`${base}/pack`);
  await runWell(Deno.execPath(), task, {
    cwd: home,
    env: { ...env, DENO_DIR: cache },
  });
  await addPacked(registry, packed, `${base}/npm_parcels`);
  // Made from the published files, like on JSR, where "@std/…" is "jsr:@std/…".
  const tarball = `${base}/read-file.tgz`;
  await runWell(Deno.execPath(), [
    "pack",
    "--allow-dirty",
    "--no-source-maps",
    `--output=${tarball}`,
  ], { cwd: release, env });
  await packAsJsr({ tarball, release, folder: `${base}/npm` });
  const world = {
    registry: registry.url,
    home,
    folder: `${base}/tests`,
    packed,
    tarball,
    listed,
    published: [...(await filesOf(release)).keys()],
    release,
  };
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--no-check",
      "--no-prompt",
      "--import-map=tests/npm_std.json",
      "--junit-path=.gate/consumers.xml",
      "--allow-read",
      "--allow-write",
      "--allow-env",
      "--allow-run",
      ...TESTS.map((name) => `tests/consumers/${name}.ts`),
    ],
    env: environmentOf(world),
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  await registry[Symbol.asyncDispose]();
  await Deno.remove(base, { recursive: true });
}

/** Receives the requests of `deno publish`. */
async function receive(archive: Uint8Array<ArrayBuffer>): Promise<Release> {
  const folder = await Deno.makeTempDir({ dir: base });
  const files = await unpack(archive, folder);
  const config = JSON.parse(new TextDecoder().decode(files.get("deno.json")));
  const { name, version, exports } = config as Release;
  const to = `${releases}/${name}`;
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.rename(folder, to);
  return {
    name,
    version,
    exports: typeof exports === "string" ? { ".": exports } : exports,
    files,
  };
}
