// The tools of a repository with an agent, made once.
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  openWorkspace,
  type Tool,
} from "@agent-tools/read-file";

/** The tools that the agent is given, for the folder it works in. */
export async function makeTools(root: string): Promise<readonly Tool[]> {
  const workspace = await openWorkspace(root);
  return [
    createCodexReadFile(workspace),
    createForgeRead(workspace),
    createOpenFile(workspace),
    createToolkitReadFile(workspace),
  ];
}
