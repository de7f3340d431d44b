import * as reader from "@agent-tools/read-file";

const memory = reader.memoryFs({ "/repo/a.txt": "one\ntwo\n" });
const inMemory = await reader.openWorkspace("/repo", { fs: memory });
// The default port is the disk.
const onDisk = await reader.openWorkspace(".");
const named = await reader.openWorkspace(".", { fs: reader.nodeFs() });

const lines = { start_line: 2, end_line: 2 };
console.log(JSON.stringify([
  await reader.createOpenFile(inMemory).call({ file_path: "a.txt", ...lines }),
  (await onDisk.read("agent.ts", { count: 1 })).lines[0].text,
  (await named.read("agent.ts", { count: 1 })).lines[0].text,
  await onDisk.read("../x.tgz").catch(({ code }) => code),
]));
