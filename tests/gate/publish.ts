// Tries out a release, in a copy of the package that needs no network.
import { cp } from "node:fs/promises";
import { basename } from "node:path";
import { linkStd } from "./link_std.ts";

/** What is published besides `src`. */
const AROUND_SRC = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "deno.json",
  "mod.ts",
];

const NOT_COPIED = [".gate", ".git", "node_modules"];

const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const copy = `${base}/package`;
  await cp(".", copy, {
    filter: (source) => !NOT_COPIED.includes(basename(source)),
    recursive: true,
  });
  await linkStd(copy, `${base}/std`);
  const files = await filesPublishedFrom(copy);
  const missing = AROUND_SRC.filter((file) => !files.includes(file));
  const stray = files.filter((file) =>
    !file.startsWith("src/") && !AROUND_SRC.includes(file)
  );
  for (const file of missing) console.error(`${file} is not published`);
  for (const file of stray) console.error(`${file} is published`);
  Deno.exitCode = missing.length + stray.length === 0 ? 0 : 1;
} finally {
  await Deno.remove(base, { recursive: true });
}

/** Lists what Deno would publish of a folder, if it would. */
async function filesPublishedFrom(folder: string): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty"],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  const said = decoder.decode(stdout) + decoder.decode(stderr);
  console.log(said);
  if (!success) throw new Error("Deno would not publish this");
  const root = `file://${folder}/`;
  return Array.from(
    said.matchAll(/^ +(file:\S+) \(/gm),
    ([, url = ""]) => decodeURI(url).replace(root, ""),
  );
}
