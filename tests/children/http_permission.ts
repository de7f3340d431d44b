// Reads over HTTP, and prints the text or the error.
import process from "node:process";
import { httpFs, openWorkspace } from "../../mod.ts";

const [url = "", path = ""] = process.argv.slice(2);
const workspace = await openWorkspace("/", { fs: httpFs(url) });
const outcome = await workspace.read(path)
  .then(({ text }) => text, ({ message, hint }) => `${message}; ${hint}`);
console.log(outcome.trimEnd());
