// Runs the attacks in its argument through all four tools, and prints the answers.
import process from "node:process";
import { openWorkspace, ReadFileError } from "../../mod.ts";
import {
  callAsModel,
  FOUR_TOOLS,
  type OverheardReply,
} from "../support/four_tools.ts";

/** One attack: a path to read in a workspace. */
export interface Order {
  readonly id: string;
  readonly root: string;
  readonly input: unknown;
}

/** The answers of the tools, by tool name. */
export type Replies = Readonly<Record<string, OverheardReply>>;

const orders: readonly Order[] = JSON.parse(process.argv[2]!);
for (const { id, root, input } of orders) {
  // One line per attack, so that a test knows which one hangs.
  console.log(JSON.stringify([id, await attack(root, input)]));
}
// Exit, since an open handle would keep the process alive.
process.exit();

async function attack(root: string, input: unknown): Promise<Replies> {
  const replies: Record<string, OverheardReply> = {};
  for (const { name, pathName, make } of FOUR_TOOLS) {
    try {
      const tool = make(await openWorkspace(root));
      // Codex accepts only absolute paths.
      const isRelative = typeof input === "string" && /^[^/]/.test(input);
      const path = name === "CodexReadFile" && isRelative
        ? `${root === "/" ? "" : root}/${input}`
        : input;
      replies[name] = await callAsModel(tool, { [pathName]: path });
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      const { code, message: content } = error;
      replies[name] = { ok: false, code, text: content, content };
    }
  }
  return replies;
}
