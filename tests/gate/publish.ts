// Tries out a release, in a copy of the package that needs no network.
import { linkStd } from "./link_std.ts";
import { copyPackage, dryRun } from "./package_copy.ts";

/** What is published besides `src` and `docs`. */
const AROUND_SRC = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "deno.json",
  "mod.ts",
];

const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const copy = `${base}/package`;
  await copyPackage(copy);
  await linkStd(copy, `${base}/std`);
  const { files, said } = await dryRun(copy);
  console.log(said);
  const missing = AROUND_SRC.filter((file) => !files.includes(file));
  const stray = files.filter((file) =>
    !/^(src|docs)\//.test(file) && !AROUND_SRC.includes(file)
  );
  for (const file of missing) console.error(`${file} is not published`);
  for (const file of stray) console.error(`${file} is published`);
  Deno.exitCode = missing.length + stray.length === 0 ? 0 : 1;
} finally {
  await Deno.remove(base, { recursive: true });
}
