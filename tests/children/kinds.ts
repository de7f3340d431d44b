// Calls every tool, on both ports, for a path that is not a regular file.
import process from "node:process";
import { bunFs, denoFs, openWorkspace } from "../../mod.ts";
import {
  callAsModel,
  FOUR_TOOLS,
  type OverheardReply,
} from "../support/four_tools.ts";

/** The outcome of one call. */
export interface Told extends OverheardReply {
  readonly tool: string;
  readonly waits: string;
}

const [root = "", path = ""] = process.argv.slice(2);
for (const waits of ["blocking", "nonBlocking"]) {
  const options = { nonBlocking: waits === "nonBlocking" };
  const fs = "Bun" in globalThis ? bunFs(options) : denoFs(options);
  const workspace = await openWorkspace(root, { fs });
  for (const { name, pathName, make } of FOUR_TOOLS) {
    const tool = make(workspace);
    const args = { [pathName]: `${root}/${path}` };
    const reply = await callAsModel(tool, args);
    const told: Told = { ...reply, tool: name, waits };
    // One line per call, so that a test knows which one hangs.
    console.log(JSON.stringify(told));
  }
}
// Do not exit: an open handle must keep the process alive, so that the test notices it.
