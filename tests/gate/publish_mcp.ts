// Tries out a release of the MCP server, in a copy of the repository that needs no network.
import { cp } from "node:fs/promises";
import { linkStd } from "./link_std.ts";
import { copyPackage, dryRun } from "./package_copy.ts";

/** What is published besides `src`. */
const AROUND_SRC = ["LICENSE", "README.md", "deno.json", "mod.ts"];

const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const copy = `${base}/package`;
  await copyPackage(copy);
  await cp("mcp", `${copy}/mcp`, { recursive: true });
  // The SDK is npm's; the library is the other member of the workspace.
  await Deno.symlink(
    await Deno.realPath("node_modules"),
    `${copy}/node_modules`,
  );
  await linkStd(copy, `${base}/std`);
  const { files, said } = await dryRun(`${copy}/mcp`);
  console.log(said);
  const faults = [
    ...AROUND_SRC.filter((file) => !files.includes(file))
      .map((file) => `${file} is not published`),
    ...files.filter((file) => !isMeant(file))
      .map((file) => `${file} is published`),
  ];
  for (const fault of faults) console.error(fault);
  Deno.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await Deno.remove(base, { recursive: true });
}

function isMeant(file: string): boolean {
  return AROUND_SRC.includes(file) || /^src\/\w+\.ts$/.test(file);
}
