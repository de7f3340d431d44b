/** Which lines the codex tool shows around an anchor, as a table. */
import type { BlockArguments } from "./codex.ts";

/** A file, and what is shown of it. */
export interface BlockCase {
  readonly claim: string;
  /** The file, as `sketch` takes it. */
  readonly file: string;
  readonly args: BlockArguments;
  /** The numbers of the first and the last line shown. */
  readonly lines: string;
}

const alone = { include_siblings: false };
const bare = { include_siblings: false, include_header: false };
const FUNCTIONS = "0 4 8 4 4 8 4 0";
const NESTED = "0 4 8 12 8 4 0";
const METHODS = "0 4 8 4 8 12 8 8 0 4 8 8";
const ENGINE =
  "h0 h0 b 0 0 0 4 8 12 8 4 b c4 4 8 12 16 12 16 12 16 8 4 b 0 4 4 b 4 8 4 0 0";

/** The table of the contract. */
export const CONTRACT_BLOCKS: readonly BlockCase[] = [
  {
    claim: "takes the block of one level (contract, row 1)",
    file: "0 4 8 4 4 0",
    args: { offset: 3, limit: 10, anchor_line: 3, max_levels: 1, ...alone },
    lines: "2-4",
  },
  {
    claim: "takes two levels (contract, row 2)",
    file: NESTED,
    args: { offset: 4, limit: 50, anchor_line: 4, max_levels: 2, ...alone },
    lines: "2-6",
  },
  {
    claim: "takes three levels (contract, row 2)",
    file: NESTED,
    args: { offset: 4, limit: 50, anchor_line: 4, max_levels: 3, ...alone },
    lines: "1-7",
  },
  {
    claim: "leaves siblings out (contract, row 3)",
    file: FUNCTIONS,
    args: { offset: 3, limit: 50, anchor_line: 3, max_levels: 1, ...alone },
    lines: "2-4",
  },
  {
    claim: "includes siblings (contract, row 3)",
    file: FUNCTIONS,
    args: {
      offset: 3,
      limit: 50,
      anchor_line: 3,
      max_levels: 1,
      include_siblings: true,
    },
    lines: "2-7",
  },
  {
    claim: "includes the siblings of a method (contract, row 4)",
    file: METHODS,
    args: { anchor_line: 7, max_levels: 1, include_siblings: true },
    lines: "2-8",
  },
  {
    claim: "takes one level of a large file (contract, row 5)",
    file: ENGINE,
    args: { offset: 18, anchor_line: 18, max_levels: 1, ...alone },
    lines: "15-22",
  },
  {
    claim: "takes two levels and the header above (contract, row 5)",
    file: ENGINE,
    args: { offset: 18, anchor_line: 18, max_levels: 2, ...alone },
    lines: "13-23",
  },
  {
    claim: "takes two levels without the header above (contract, row 5)",
    file: ENGINE,
    args: { offset: 18, anchor_line: 18, max_levels: 2, ...bare },
    lines: "14-23",
  },
  {
    claim: "takes two levels with siblings, without header (contract, row 5)",
    file: ENGINE,
    args: {
      offset: 18,
      anchor_line: 18,
      max_levels: 2,
      include_siblings: true,
      include_header: false,
    },
    lines: "7-23",
  },
];

/** Further cases of the rules. */
export const BLOCKS: readonly BlockCase[] = [
  {
    claim: "has no limit of levels at 0",
    file: NESTED,
    args: { anchor_line: 4, max_levels: 0, include_siblings: true },
    lines: "1-7",
  },
  {
    claim: "takes levels beyond the outermost for all of them",
    file: NESTED,
    args: { anchor_line: 4, max_levels: 2 ** 60 },
    lines: "1-7",
  },
  {
    claim: "takes the offset for the anchor if there is none",
    file: FUNCTIONS,
    args: { offset: 6, max_levels: 1, ...alone },
    lines: "5-7",
  },
  {
    claim: "prefers the anchor to the offset",
    file: FUNCTIONS,
    args: { offset: 1, anchor_line: 6, max_levels: 1, ...alone },
    lines: "5-7",
  },
  {
    claim: "never compares the offset with the length",
    file: FUNCTIONS,
    args: { offset: 999, anchor_line: 6, max_levels: 1, ...alone },
    lines: "5-7",
  },
  {
    claim: "takes a line above before a line below",
    file: "0 0 0 0 0",
    args: { anchor_line: 3, limit: 2 },
    lines: "2-3",
  },
  {
    claim: "takes lines above and below in turn",
    file: "0 0 0 0 0",
    args: { anchor_line: 3, limit: 3 },
    lines: "2-4",
  },
  {
    claim: "goes on below when there is nothing above",
    file: "0 0 0 0 0",
    args: { anchor_line: 1, limit: 3 },
    lines: "1-3",
  },
  {
    claim: "goes on above when there is nothing below",
    file: "0 0 0 0 0",
    args: { anchor_line: 5, limit: 3 },
    lines: "3-5",
  },
  {
    claim: "closes a side for good at a line below the floor",
    file: "8 0 4 8 4 0 8",
    args: { anchor_line: 4, max_levels: 1, include_siblings: true },
    lines: "3-5",
  },
  {
    claim: "takes no more than max_lines",
    file: "0 0 0 0 0",
    args: { anchor_line: 3, limit: 4, max_lines: 2 },
    lines: "2-3",
  },
  {
    claim: "takes no more than the limit, whatever max_lines is",
    file: "0 0 0 0 0",
    args: { anchor_line: 3, limit: 2, max_lines: 4 },
    lines: "2-3",
  },
  {
    claim: "takes all lines if limit and max_lines are very large",
    file: "0 4 0",
    args: { limit: 1e10, max_lines: 2 ** 64 },
    lines: "1-3",
  },
  {
    claim: "lets a neighbour's deeper lines come along without siblings",
    file: "0 4 0 4 4 0",
    args: { anchor_line: 2, max_levels: 1, ...alone },
    lines: "1-5",
  },
  {
    claim: "takes one line at the floor each way without siblings",
    file: "4 0 0 4 8 4 0 0 4",
    args: { anchor_line: 5, max_levels: 2, ...bare },
    lines: "3-7",
  },
  {
    claim: "takes all comments above the line at the floor as a header",
    file: "0 c0 h0 0 4 0",
    args: { anchor_line: 5, max_levels: 1, ...alone },
    lines: "2-6",
  },
  {
    claim: "lets a comment use up the place of the line at the floor",
    file: "0 0 c0 4 0",
    args: { anchor_line: 4, max_levels: 1, ...alone },
    lines: "3-5",
  },
  {
    claim: "drops not the first line of a header without include_header",
    file: "0 c0 c0 4 0",
    args: { anchor_line: 4, max_levels: 1, ...bare },
    lines: "3-5",
  },
  {
    claim: "lets a blank line at the floor use up the place of the header",
    file: "0 0 b 4 0",
    args: { anchor_line: 4, max_levels: 1, ...alone },
    lines: "4-5",
  },
  {
    claim: "takes comments below for nothing special",
    file: "0 4 c0 c0 0",
    args: { anchor_line: 2, max_levels: 1, ...alone },
    lines: "1-3",
  },
  {
    claim: "gives a blank line the indentation of the line above",
    file: "0 4 8 b 8 4 b 0",
    args: { anchor_line: 3, max_levels: 1, include_siblings: true },
    lines: "2-6",
  },
  {
    claim: "gives a blank anchor the indentation of the line above",
    file: "0 4 8 b b 8 4 0",
    args: { anchor_line: 5, max_levels: 1, include_siblings: true },
    lines: "2-7",
  },
  {
    claim: "gives blank lines at the top the indentation 0",
    file: "b b 4 8 4",
    args: { anchor_line: 4, max_levels: 1, include_siblings: true },
    lines: "3-5",
  },
  {
    claim: "trims blank lines from both ends and refills nothing",
    file: "0 b b 0 b b 0",
    args: { anchor_line: 4, limit: 5 },
    lines: "4-4",
  },
];
