// Prints a file of a workspace; both paths are relative to the working directory.
import process from "node:process";
import { openWorkspace } from "../../mod.ts";

const [root = "", path = ""] = process.argv.slice(2);
console.log((await (await openWorkspace(root)).read(path)).text);
