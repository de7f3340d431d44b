// Opens a file many times, closes all handles, and reads it.
import process from "node:process";
import { openWorkspace } from "../../mod.ts";
import { makeSignalPipe } from "../support/signals.ts";

makeSignalPipe();
const [root = "", count = "0"] = process.argv.slice(2);
const workspace = await openWorkspace(root);
const opening = Array.from(
  { length: Number(count) },
  () => workspace.open("a.txt"),
);
const ends = await Promise.allSettled(opening);
const reading = await workspace.read("a.txt").catch(({ code }) => ({
  text: code,
}));
// This uses a part of the library that is not loaded yet.
const list = () =>
  workspace.list(".").then(
    ({ entries }) => entries[0]?.path,
    ({ code }) => code,
  );
const listing = await list();
for (const end of ends) {
  if (end.status === "fulfilled") await end.value.close();
}
const messages = ends.flatMap((end) =>
  end.status === "rejected"
    ? [`${end.reason.code} ${end.reason.message}; ${end.reason.hint}`]
    : []
);
console.log(JSON.stringify({
  opened: ends.length - messages.length,
  messages: [...new Set(messages)],
  meanwhile: reading.text,
  listed: [listing, await list()],
  after: (await workspace.read("a.txt")).text,
}));
