// The tools of a repository with an agent, made once.
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  openWorkspace,
  type Tool,
} from "@agent-tools/read-file";

/** The tools for an agent that works in a folder. */
export async function makeTools(root: string): Promise<readonly Tool[]> {
  const workspace = await openWorkspace(root);
  return [
    createCodexReadFile(workspace),
    createForgeRead(workspace),
    createOpenFile(workspace),
    createToolkitReadFile(workspace),
  ];
}
