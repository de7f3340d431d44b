// A command's output, written beside the workspace, and read by the same tools.
import {
  createToolkitReadFile,
  hostFs,
  openWorkspace,
  respond,
} from "@agent-tools/read-file";
import { mountFs } from "@agent-tools/read-file-layers";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// One directory for outputs: nothing else of the disk becomes readable.
const outputs = mkdtempSync(join(tmpdir(), "outputs-"));
const fs = mountFs({
  "/work": {
    fs: hostFs(),
    root: new URL("files", import.meta.url).pathname,
  },
  "/output": { fs: hostFs(), root: outputs },
});
const workspace = await openWorkspace("/", { fs, deny: ["**/*.pem"] });
const readFile = createToolkitReadFile(workspace);

/** The tool `exec_command`: the model gets a path instead of all lines. */
function execCommand(name: string, words: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync("sh", words, {
    encoding: "utf8",
  });
  writeFileSync(join(outputs, name), stdout + stderr);
  return `exit code ${status}; the output is in output/${name}`;
}

const script = 'for i in $(seq 1 500); do echo "test $i ok"; done; ' +
  'echo "test 501 failed: 2 != 3" >&2; exit 1';
console.log(execCommand("test-1.log", ["-c", script]));
for (const range of [{ max_lines: 2 }, { start_line: 501 }]) {
  const args = { path: "output/test-1.log", ...range };
  const { content, next_start_line, meta } = await readFile.call(args);
  console.log(`\nread_file ${JSON.stringify(args)}`);
  console.log(content.trimEnd());
  console.log(`of ${meta.line_count} lines; next_start_line`, next_start_line);
}
// The workspace is beside it, with its rules.
for (const path of ["work/add.ts", "work/key.pem"]) {
  const { ok, content } = await respond(readFile, { path });
  console.log(`\nread_file ${path}:`, ok ? "read" : content);
}
rmSync(outputs, { recursive: true });
