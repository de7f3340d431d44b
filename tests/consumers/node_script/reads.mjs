// Node.js is no user that is promised anything, but the archive works there too.
import * as reader from "@agent-tools/read-file";

const memory = reader.memoryFs({ "/repo/a.txt": "one\ntwo\n" });
const inMemory = await reader.openWorkspace("/repo", { fs: memory });
// The disk port for Bun asks for nothing that Node.js does not have.
const onDisk = await reader.openWorkspace(".", { fs: reader.bunFs() });

const lines = { start_line: 2, end_line: 2 };
console.log(JSON.stringify([
  await reader.createOpenFile(inMemory).call({ file_path: "a.txt", ...lines }),
  (await onDisk.read("agent.ts", { count: 1 })).lines[0].text,
]));
