import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import type {
  ManyAnswer,
  PageRequest,
  ReadOptions,
  Workspace,
} from "../../mod.ts";
import { openOn, type PageAnswer, pagesIn, shownBy } from "../support/many.ts";
import { fileText } from "../support/pages.ts";
import { draws } from "../support/share.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Follows `next` to the end; returns all shown bytes. */
async function follow(
  workspace: Workspace,
  path: string,
  options: ReadOptions | null,
): Promise<string> {
  let shown = "";
  for (let next = options; next !== null;) {
    const page = await workspace.read(path, JSON.parse(JSON.stringify(next)));
    shown += decoder.decode(page.bytes());
    next = page.next;
  }
  return shown;
}

describe("Workspace.readMany() of any files, with any limit:", () => {
  const small = fc.integer({ min: 1, max: 9 });
  const part: fc.Arbitrary<ReadOptions> = fc.oneof(
    fc.constant({}),
    fc.record({ start: small, count: small, maxBytes: fc.nat(60) }, {
      requiredKeys: [],
    }),
    fc.record({ start: small, width: small }),
    fc.record({ tail: small }),
    fc.record({ around: small, before: small }),
  ).map((options) => ({ ...options }));
  const files = fc.array(
    fc.tuple(
      fileText.map((text) => text.slice(0, 250).toWellFormed()),
      fc.nat({ max: 1 }),
      part,
    ),
    { maxLength: 9 },
  );
  const limit = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.nat(1000));
  const runs = draws(300, 200);

  const property = (
    check: (
      workspace: Workspace,
      requests: readonly FileRequest[],
      answers: readonly ManyAnswer[],
      most: number,
    ) => Promise<void> | void,
  ) =>
    fc.assert(
      fc.asyncProperty(files, limit, async (drawn, limit) => {
        const most = limit + 1;
        const tree = drawn.map(([text, times], at) =>
          [`f${at}`, text.repeat(1 + times)] as const
        );
        const workspace = await openOn(Object.fromEntries(tree));
        const requests = drawn.map(([, , options], at) => ({
          path: `f${at}`,
          ...options,
        }));
        const answers = await workspace.readMany(requests, { maxBytes: most });
        assertEquals(
          answers.map(({ path }) => path),
          requests.map(({ path }) => path),
        );
        await check(workspace, requests, answers, most);
      }),
      runs,
    );

  it(`shows at most the limit, or one character of 4 bytes (seed ${runs.seed})`, async () => {
    await property((_, requests, answers, most) => {
      const shown = pagesIn(answers)
        .reduce((sum, page) => sum + shownBy(page), 0);
      assert(shown <= Math.max(4, most), `${shown} of ${most}`);
      const isRoom = answers.some(({ kind }) => kind === "skipped");
      // Requests are skipped only without room for four bytes, and never all.
      if (isRoom) assert(shown > 0 && most < 4 * requests.length + shown);
      for (const { page } of pagesIn(answers)) {
        const { lines: [line, ...rest], shown: { start, end } } = page;
        if (end - start <= most) continue;
        assertEquals(rest.length, 0);
        assertEquals(Array.from(line!.text || "\n").length, 1);
      }
    });
  });
  it(`gives the requested lines in the answers and their next pages (seed ${runs.seed})`, async () => {
    await property(async (workspace, requests, answers) => {
      for (const [index, answer] of answers.entries()) {
        const { path, ...options } = requests[index]!;
        if (answer.kind === "error") {
          assertEquals(answer.error.code, "INVALID_ARGUMENT");
          assertEquals(options.maxBytes, 0);
          continue;
        }
        const wanted = await follow(workspace, path, options as ReadOptions);
        if (answer.kind === "skipped") {
          assertEquals(await follow(workspace, path, answer.next), wanted);
          continue;
        }
        const shown = decoder.decode(answer.page.bytes());
        const rest = await follow(workspace, path, answer.page.next);
        assertEquals(shown + rest, wanted);
      }
    });
  });
  it(`gives the same page as a single read with the common share (seed ${runs.seed})`, async () => {
    let shared = 0;
    let bound = 0;
    await property(async (workspace, requests, answers, most) => {
      const pages = answers.flatMap((answer, index) =>
        answer.kind === "page" ? [{ answer, ...requests[index]! }] : []
      );
      // Another test covers limits below one character.
      if (most < 4) return;
      // The share depends on which pages are whole, and vice versa.
      const share = await findShare(workspace, pages, most);
      for (const { answer, path, ...options } of pages) {
        const maxBytes = Math.min(share, most, options.maxBytes ?? Infinity);
        const alone = await workspace.read(
          path,
          { ...options, maxBytes } as ReadOptions,
        );
        const [line, ...others] = alone.lines;
        if (others.length === 0 && line?.ending === "") {
          // Inside a row, a page may be cut a little earlier.
          const { text } = answer.page;
          assert(text !== "" && line.text.startsWith(text), `by ${share}`);
          continue;
        }
        assertEquals(answer.page.lines, alone.lines, `by ${share} of ${most}`);
        if (share === Infinity) continue;
        shared++;
        if (options.width ?? options.maxBytes) bound++;
      }
    });
    // Each runtime draws a part of them.
    const { numRuns } = runs;
    const isTold = shared > numRuns / 4 && bound > numRuns / 20;
    assert(isTold, `${shared} shared, ${bound} bound of ${numRuns}`);
  });
});

/** A request without a glob. */
type FileRequest = PageRequest & { readonly path: string };

/** A request, and its page. */
type Asked = FileRequest & {
  readonly answer: PageAnswer;
};

/**
 * The documented share of each page: the limit less the whole pages, in equal
 * parts; no limit if all pages are whole.
 */
async function findShare(
  workspace: Workspace,
  pages: readonly Asked[],
  most: number,
): Promise<number> {
  const cut: Asked[] = [...pages];
  for (;;) {
    const whole = pages.filter((page) => !cut.includes(page))
      .reduce((sum, { answer }) => sum + shownBy(answer), 0);
    if (cut.length === 0) return Infinity;
    // Four bytes are enough for any character; requests without room are skipped.
    const share = Math.max(4, Math.floor((most - whole) / cut.length));
    const states = await Promise.all(
      cut.map((page) => isWholeBy(workspace, page, share, most)),
    );
    const found = cut.filter((_, index) => states[index]);
    if (found.length === 0) return share;
    for (const page of found) cut.splice(cut.indexOf(page), 1);
  }
}

/** Whether a page with this share shows as much as with the whole limit. */
async function isWholeBy(
  workspace: Workspace,
  { answer: _, path, ...options }: Asked,
  share: number,
  most: number,
): Promise<boolean> {
  const shownWith = async (limit: number) => {
    const maxBytes = Math.min(limit, options.maxBytes ?? Infinity);
    const limited = { ...options, maxBytes } as ReadOptions;
    return (await workspace.read(path, limited)).shown.end;
  };
  return await shownWith(share) === await shownWith(most);
}
