// Makes the attacks it is given through all four tools, and tells what each said.
import process from "node:process";
import { openWorkspace, ReadFileError } from "../../mod.ts";
import {
  callAsModel,
  FOUR_TOOLS,
  type OverheardReply,
} from "../support/four_tools.ts";

/** One attack: a path, asked for in a workspace. */
export interface Order {
  readonly id: string;
  readonly root: string;
  readonly input: unknown;
}

/** What the tools said, by their names. */
export type Replies = Readonly<Record<string, OverheardReply>>;

const orders: readonly Order[] = JSON.parse(process.argv[2]!);
for (const { id, root, input } of orders) {
  // Line by line: if one never ends, it is known which.
  console.log(JSON.stringify([id, await attack(root, input)]));
}
// Nothing that hangs on may pass for an end.
process.exit();

async function attack(root: string, input: unknown): Promise<Replies> {
  const replies: Record<string, OverheardReply> = {};
  for (const { name, pathName, make } of FOUR_TOOLS) {
    try {
      const tool = make(await openWorkspace(root));
      // Codex takes absolute paths alone.
      const isRelative = typeof input === "string" && /^[^/]/.test(input);
      const path = name === "CodexReadFile" && isRelative
        ? `${root === "/" ? "" : root}/${input}`
        : input;
      replies[name] = await callAsModel(tool, { [pathName]: path });
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      replies[name] = { ok: false, code: error.code, content: error.message };
    }
  }
  return replies;
}
