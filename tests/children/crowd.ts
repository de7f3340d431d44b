// Makes a thousand concurrent calls; prints their outcomes, and how many files were open.
import process from "node:process";
import { bunFs, denoFs, type FsPort, openWorkspace } from "../../mod.ts";
import { callAsModel, FOUR_TOOLS } from "../support/four_tools.ts";

/** The output of the child. */
export interface Told {
  /** How many calls ended with each outcome: `right`, `wrong`, or a code. */
  readonly ends: Readonly<Record<string, number>>;
  /** The largest number of files open at a time. */
  readonly mostOpen: number;
}

const [root = "", calls = "", files = "", waits = ""] = process.argv.slice(2);
const options = { nonBlocking: waits === "nonBlocking" };
const port = "Bun" in globalThis ? bunFs(options) : denoFs(options);
let open = 0;
let mostOpen = 0;
const fs: FsPort = {
  ...port,
  async open(path) {
    const handle = await port.open(path);
    mostOpen = Math.max(mostOpen, ++open);
    return {
      ...handle,
      async close() {
        await handle.close();
        open--;
      },
    };
  },
};
const workspace = await openWorkspace(root, { fs });

const ends: Record<string, number> = {};
await Promise.all(Array.from({ length: Number(calls) }, async (_, call) => {
  const file = call % Number(files);
  const { make, pathName } = FOUR_TOOLS[call % FOUR_TOOLS.length]!;
  const path = `${root}/${file}.txt`;
  const reply = await callAsModel(make(workspace), { [pathName]: path });
  const isRight = reply.ok && reply.content.includes(`file ${file}.`);
  const end = isRight ? "right" : reply.code ?? "wrong";
  ends[end] = (ends[end] ?? 0) + 1;
}));
const told: Told = { ends, mostOpen };
console.log(JSON.stringify(told));
