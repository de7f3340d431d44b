// Reads one file with the runtime, and with the workspace.
import { readFile as readAsBunDoes } from "node:fs/promises";
import process from "node:process";
import { openWorkspace, ReadFileError } from "../../mod.ts";

const [root = "", path = ""] = process.argv.slice(2);
const text = "Deno" in globalThis
  ? await Deno.readTextFile(`${root}/${path}`)
  : await readAsBunDoes(`${root}/${path}`, "utf8");
const workspace = await openWorkspace(root);
const ours = await workspace.read(path).then(
  (window) => window.text,
  (error) => error instanceof ReadFileError ? error.code : `${error}`,
);
console.log(JSON.stringify({ runtime: text, ours }));
