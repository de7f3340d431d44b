import { createAgentToolkit } from "@agent-tools/read-file";

/** The tools of our agent: they read this folder, and no others. */
export function toolsOfAgent() {
  return createAgentToolkit({
    workspaceRoot: import.meta.dirname!,
    policy: { tools: { read_file: "deny" } },
  });
}
