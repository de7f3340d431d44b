/** The played model: it follows what answers say, and knows a dead end. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type Arm, play, type ToolCall } from "../../bench/played/player.ts";
import type { Task } from "../../bench/played/tasks.ts";

const TASK: Task = {
  name: "a task",
  want: { kind: "whole", path: "a.ts" },
  evidence: [/found/],
  shell: [],
};

/** Plays against answers in order; gives the calls that were made, and what came of it. */
async function playOn(...answers: readonly (string | undefined)[]) {
  const calls: ToolCall[] = [];
  const arm: Arm = {
    name: "scripted",
    definitions: "",
    first: () => [{ tool: "read_file", args: { path: "a.ts", count: 2 } }],
    call(call) {
      calls.push(call);
      return Promise.resolve(
        answers[Math.min(calls.length, answers.length) - 1],
      );
    },
    end: () => Promise.resolve(),
  };
  const { isSolved, deadEnd } = await play(arm, TASK, "/");
  const [, ...later] = calls.map(({ tool, args }) => [tool, args]);
  return { later, isSolved, deadEnd };
}

describe("the played model", () => {
  for (
    const [said, tool, args] of [
      [
        '1\tx\nNext: read_files {"files":[{"path":"b"}]}',
        "read_files",
        { files: [{ path: "b" }] },
      ],
      [
        'Next: read_file with the same path and {"start":3}',
        "read_file",
        { path: "a.ts", start: 3 },
      ],
      ['did you mean "b \\u202f.ts" or "c"?', "read_file", {
        path: "b \u202f.ts",
        count: 2,
      }],
      ['it holds "d/e", or call list_directory {"path":"d"}', "read_file", {
        path: "d/e",
        count: 2,
      }],
      ['or call list_directory {"path":"d"} (NOT_A_FILE)', "list_directory", {
        path: "d",
      }],
      ["[9 more lines. Use offset=7 to continue.]", "read_file", {
        path: "a.ts",
        count: 2,
        offset: 7,
      }],
    ] as const
  ) {
    it(`does what it is told: ${said}`, async () => {
      const { later, isSolved } = await playOn(said, "found");
      assertEquals(later, [[tool, args]]);
      assertEquals(isSolved, true);
    });
  }

  it("ends where it is stuck, and says why", async () => {
    const endOf = async (...answers: readonly (string | undefined)[]) =>
      (await playOn(...answers)).deadEnd;
    assertEquals(await endOf("nothing"), "the answer names no call");
    assertEquals(await endOf(undefined), "no answer");
    assertEquals(
      await endOf('Next: read_file {"path":"b"}'),
      "the same call again",
    );
    const pages = Array.from(
      { length: 50 },
      (_, at) => `Next: read_file {"path":"a","start":${at}}`,
    );
    assertEquals(await endOf(...pages), "40 calls");
    assertEquals(await endOf("Use bash: sed"), "the answer names the shell");
  });
});
