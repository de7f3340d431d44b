/** Run as a child process: prints the first two lines of `a.txt` as a page. */
import process from "node:process";
import { openWorkspace, renderPage } from "../../../mod.ts";

const workspace = await openWorkspace(process.argv[2]!);
process.stdout.write(renderPage(await workspace.read("a.txt", { count: 2 })));
