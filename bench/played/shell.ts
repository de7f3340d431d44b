// The best shell line for each task, as someone writes it who knows the files.
import { spawnSync } from "node:child_process";
import { type Played, tokensOf } from "./player.ts";
import type { Task } from "./tasks.ts";

/** The tool that models have for it, as Anthropic's SDK defines it. */
export const SHELL_DEFINITION = JSON.stringify({
  name: "bash",
  description: "Run a bash command in a persistent shell",
  input_schema: {
    type: "object",
    properties: {
      command: { type: "string", description: "The command to run" },
      restart: { type: "boolean", description: "Restart the shell" },
      timeout_ms: { type: "integer", description: "Timeout in milliseconds" },
    },
  },
});

/** Runs the shell lines of a task. */
export function runInShell(task: Task, root: string): Played {
  let tokens = 0;
  let ms = 0;
  const texts: string[] = [];
  for (const command of task.shell) {
    const began = performance.now();
    const { stdout, stderr } = spawnSync("bash", ["-c", command], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
      maxBuffer: 1 << 28,
    });
    ms = Math.max(ms, performance.now() - began);
    const text = stderr + stdout;
    tokens += tokensOf(JSON.stringify({ command })) + tokensOf(text);
    texts.push(text);
    if (texts.length === 1) task.between?.(root);
  }
  const all = texts.join("\n");
  const isSolved = task.evidence.every((one) => one.test(all));
  const calls = task.shell.length;
  return { task: task.name, isSolved, calls, tokens, ms, texts };
}
