/**
 * Switches off the tool with which an agent reads files, as `docs/agents.md` says:
 * the model must not be offered it, must read with the server, and may be unable
 * to edit what it read.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Agent } from "./agents.ts";
import type { ToolCall } from "./model/play.ts";
import { isDocumented } from "./documented.ts";
import { type Run, runAgent } from "./run.ts";

/** The tool of an agent that reads files. */
export interface OwnRead {
  readonly name: string;
  /** Switches it off: arguments, or what a file has to contain. */
  readonly off: string;
  /** The file; `~` is the home directory, any other path is in the project. */
  readonly file?: string;
  /** The call of the agent that replaces `one` by `two` in a file. */
  edit(path: string): ToolCall;
  /** Whether the agent edits a file that only the server read. */
  readonly edits: boolean;
}

/** What happened without the agent's own tool. */
export interface WithoutOwnRead {
  readonly run: Run;
  /** What differs from the documents; empty if nothing does. */
  readonly problems: readonly string[];
}

/** Runs an agent without its own tool that reads. */
export async function runWithoutOwnRead(
  name: string,
  agent: Agent,
  own: OwnRead,
): Promise<WithoutOwnRead> {
  const folder = await mkdtemp(join(tmpdir(), "agents-"));
  const path = join(folder, "edit.txt");
  await writeFile(path, "one\n");
  const { off, file } = own;
  const isAtHome = file?.startsWith("~/");
  if (file !== undefined && !isAtHome) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), off);
  }
  try {
    const run = await runAgent({
      ...{ name, agent, served: folder, folder },
      calls: [
        { name: "read_file", args: { path: "edit.txt" } },
        { ...own.edit(path), isOwn: true },
      ],
      ...(file === undefined && { args: off.split(" ") }),
      ...(isAtHome && { files: { [file!.slice(2)]: off } }),
    });
    const [read] = run.seen;
    const edits = await readFile(path, "utf8") === "two\n";
    const problems = [
      !await isDocumented(off) && `docs/agents.md lacks ${off}`,
      run.offered.has(own.name) && `${own.name} is offered`,
      !read?.result.includes("1\tone") && "the server's tool did not read",
      edits !== own.edits && `an edit ${edits ? "works" : "fails"}`,
    ].filter((problem) => problem !== false);
    return { run, problems };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
