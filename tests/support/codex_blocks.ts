/** Cases: the lines that the codex tool shows around an anchor. */
import type { BlockArguments } from "./codex.ts";

/** A file, the arguments, and the expected lines. */
export interface BlockCase {
  readonly claim: string;
  /** The file, in the notation of `sketch`. */
  readonly file: string;
  readonly args: BlockArguments;
  /** The first and the last shown line. */
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
    claim: "shows the block of one level (contract, row 1)",
    file: "0 4 8 4 4 0",
    args: { offset: 3, limit: 10, anchor_line: 3, max_levels: 1, ...alone },
    lines: "2-4",
  },
  {
    claim: "shows two levels (contract, row 2)",
    file: NESTED,
    args: { offset: 4, limit: 50, anchor_line: 4, max_levels: 2, ...alone },
    lines: "2-6",
  },
  {
    claim: "shows three levels (contract, row 2)",
    file: NESTED,
    args: { offset: 4, limit: 50, anchor_line: 4, max_levels: 3, ...alone },
    lines: "1-7",
  },
  {
    claim: "excludes siblings (contract, row 3)",
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
    claim: "shows one level of a large file (contract, row 5)",
    file: ENGINE,
    args: { offset: 18, anchor_line: 18, max_levels: 1, ...alone },
    lines: "15-22",
  },
  {
    claim: "shows two levels and the header above (contract, row 5)",
    file: ENGINE,
    args: { offset: 18, anchor_line: 18, max_levels: 2, ...alone },
    lines: "13-23",
  },
  {
    claim: "shows two levels without the header above (contract, row 5)",
    file: ENGINE,
    args: { offset: 18, anchor_line: 18, max_levels: 2, ...bare },
    lines: "14-23",
  },
  {
    claim: "shows two levels with siblings, without header (contract, row 5)",
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

/** Further cases. */
export const BLOCKS: readonly BlockCase[] = [
  {
    claim: "does not limit the levels at 0",
    file: NESTED,
    args: { anchor_line: 4, max_levels: 0, include_siblings: true },
    lines: "1-7",
  },
  {
    claim: "takes all levels if there are fewer than max_levels",
    file: NESTED,
    args: { anchor_line: 4, max_levels: 2 ** 60 },
    lines: "1-7",
  },
  {
    claim: "uses the offset as the anchor if anchor_line is absent",
    file: FUNCTIONS,
    args: { offset: 6, max_levels: 1, ...alone },
    lines: "5-7",
  },
  {
    claim: "prefers anchor_line to the offset",
    file: FUNCTIONS,
    args: { offset: 1, anchor_line: 6, max_levels: 1, ...alone },
    lines: "5-7",
  },
  {
    claim: "does not compare the offset with the length of the file",
    file: FUNCTIONS,
    args: { offset: 999, anchor_line: 6, max_levels: 1, ...alone },
    lines: "5-7",
  },
  {
    claim: "adds the line above before the line below",
    file: "0 0 0 0 0",
    args: { anchor_line: 3, limit: 2 },
    lines: "2-3",
  },
  {
    claim: "adds lines above and below alternately",
    file: "0 0 0 0 0",
    args: { anchor_line: 3, limit: 3 },
    lines: "2-4",
  },
  {
    claim: "continues below if no line above is left",
    file: "0 0 0 0 0",
    args: { anchor_line: 1, limit: 3 },
    lines: "1-3",
  },
  {
    claim: "continues above if no line below is left",
    file: "0 0 0 0 0",
    args: { anchor_line: 5, limit: 3 },
    lines: "3-5",
  },
  {
    claim: "stops a side at its first line below the minimum indentation",
    file: "8 0 4 8 4 0 8",
    args: { anchor_line: 4, max_levels: 1, include_siblings: true },
    lines: "3-5",
  },
  {
    claim: "shows at most max_lines lines",
    file: "0 0 0 0 0",
    args: { anchor_line: 3, limit: 4, max_lines: 2 },
    lines: "2-3",
  },
  {
    claim: "shows at most limit lines, even if max_lines is larger",
    file: "0 0 0 0 0",
    args: { anchor_line: 3, limit: 2, max_lines: 4 },
    lines: "2-3",
  },
  {
    claim: "shows all lines if limit and max_lines are very large",
    file: "0 4 0",
    args: { limit: 1e10, max_lines: 2 ** 64 },
    lines: "1-3",
  },
  {
    claim: "includes the deeper lines of a sibling without include_siblings",
    file: "0 4 0 4 4 0",
    args: { anchor_line: 2, max_levels: 1, ...alone },
    lines: "1-5",
  },
  {
    claim:
      "includes one line at the minimum indentation on each side without include_siblings",
    file: "4 0 0 4 8 4 0 0 4",
    args: { anchor_line: 5, max_levels: 2, ...bare },
    lines: "3-7",
  },
  {
    claim:
      "includes all comments above the first line at the minimum indentation as its header",
    file: "0 c0 h0 0 4 0",
    args: { anchor_line: 5, max_levels: 1, ...alone },
    lines: "2-6",
  },
  {
    claim: "counts a comment as the one line at the minimum indentation",
    file: "0 0 c0 4 0",
    args: { anchor_line: 4, max_levels: 1, ...alone },
    lines: "3-5",
  },
  {
    claim: "keeps the first line of a header without include_header",
    file: "0 c0 c0 4 0",
    args: { anchor_line: 4, max_levels: 1, ...bare },
    lines: "3-5",
  },
  {
    claim: "counts a blank line at the minimum indentation as the one line",
    file: "0 0 b 4 0",
    args: { anchor_line: 4, max_levels: 1, ...alone },
    lines: "4-5",
  },
  {
    claim: "treats comments below the anchor like other lines",
    file: "0 4 c0 c0 0",
    args: { anchor_line: 2, max_levels: 1, ...alone },
    lines: "1-3",
  },
  {
    claim: "gives blank lines the indentation of the line above",
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
    claim: "trims blank lines at both ends without replacing them",
    file: "0 b b 0 b b 0",
    args: { anchor_line: 4, limit: 5 },
    lines: "4-4",
  },
];
