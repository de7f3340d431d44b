import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { respond } from "../../mod.ts";
import { codexOn } from "../support/codex.ts";
import { expectedBlock, type OracleCall } from "../support/codex_oracle.ts";
import { CUTS } from "../support/cuts.ts";
import { Random, SEED } from "../support/random.ts";

/** How many files each size of reads is tested with. */
const ROUNDS = 400;

const LEADS = [
  "",
  "",
  "  ",
  "    ",
  "    ",
  "\t",
  "\t\t",
  "        ",
  " \t",
  "\u00a0 ",
];
const TEXTS = [
  "a",
  "b",
  "# c",
  "// c",
  "-- c",
  "",
  "",
  "\u2003",
  "\u200b",
  "\r",
];

function randomFile(random: Random): string {
  const count = random.from(1, 24);
  const lines = Array.from(
    { length: count },
    () =>
      random.pick(LEADS) + random.pick(TEXTS) +
      random.pick(["\n", "\n", "\r\n"]),
  );
  const file = lines.join("");
  return random.below(3) === 0 ? file + random.pick(["x", "    y", " "]) : file;
}

function randomCall(random: Random): OracleCall {
  return {
    limit: random.pick([1, 2, 3, 5, 8, 2000]),
    anchor: random.from(1, 26),
    levels: random.below(4),
    siblings: random.below(2) === 0,
    header: random.below(2) === 0,
    maxLines: random.pick([1, 2, 4, 9, 2000, 1e12]),
  };
}

describe("codex read_file indentation", () => {
  for (const most of CUTS) {
    it(`shows the lines that a naive scan of the whole file finds (reads of ${most})`, async () => {
      const random = new Random(SEED + most);
      for (let round = 0; round < ROUNDS; round++) {
        const file = randomFile(random);
        const call = randomCall(random);
        const actual = await actualBlock(file, call, most);
        const expected = expectedBlock(file, call);
        const facts = JSON.stringify({ round, file, call });
        assertEquals(
          actual,
          expected ?? "anchor_line exceeds file length",
          facts,
        );
      }
    });
  }
});

async function actualBlock(
  file: string,
  call: OracleCall,
  most: number,
): Promise<string> {
  const indentation = {
    anchor_line: call.anchor,
    max_levels: call.levels,
    include_siblings: call.siblings,
    include_header: call.header,
    max_lines: call.maxLines,
  };
  const tool = await codexOn({ "/ws/a": file }, { most, original: true });
  const reply = await respond(tool, {
    file_path: "/ws/a",
    limit: call.limit,
    mode: "indentation",
    indentation,
  });
  return reply.content;
}
