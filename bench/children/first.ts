// Imports the package, and prints the answer of a first tool call.
import process from "node:process";
import { createOpenFile, openWorkspace } from "../../mod.ts";
import { NO_CACHE } from "../no_cache.ts";

const [root = "", path = ""] = process.argv.slice(2);
const tool = createOpenFile(await openWorkspace(root, NO_CACHE));
const request = { file_path: path, start_line: 1, end_line: 20 };
// Not `process.stdout`, which takes three milliseconds to load.
console.log(JSON.stringify(await tool.call(request)));
