import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import { type PageRequest, ReadFileError } from "../../mod.ts";
import { openOn } from "../support/many.ts";

/** `N` stands for the index of the request. */
const NO_OBJECT =
  "Cannot read several files: requests[N] must be a plain object, not ";
const NO_PATH =
  "Cannot read several files: requests[N].path must be a string, not ";
const NO_LIST = 'requests must be an array, such as [{ path: "a.txt" }]';
const NO_OPTIONS = "options must be a plain object, not ";

describe("Workspace.readMany() refuses", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [null, NO_OBJECT],
    [undefined, NO_PATH],
    [5, NO_OBJECT],
    [{}, NO_PATH],
    [{ path: 5 }, NO_PATH],
    [{ path: "a", start: 0 }, "start must be a whole number from 1 on"],
    [{ path: "a", maxBytes: "x" }, "maxBytes must be a whole number from 1 on"],
    [
      { path: "a", maxBytes: null },
      "maxBytes must be a whole number from 1 on",
    ],
    ["a", NO_OBJECT],
    [[], NO_OBJECT],
    [{ path: "a", most: 1 }, '"most" is unknown; the names are path, '],
    [
      { path: "a", maxbytes: 1 },
      "; did you mean maxBytes?",
    ],
    [{ path: "a", etag: "x" }, "etag is not the etag of a page"],
  ];
  it("an invalid request, and answers the others", async () => {
    const workspace = await openOn({ a: "x" });
    const requests = wrong.flatMap(([request]) => [
      request as PageRequest,
      { path: "a" },
    ]);
    const answers = await workspace.readMany(requests, { maxBytes: 500 });
    for (const [index, [, problem]] of wrong.entries()) {
      const [answer, other] = answers.slice(index * 2);
      assert(answer?.kind === "error", problem);
      assertEquals(answer.error.code, "INVALID_ARGUMENT");
      const message = problem.replace("[N]", `[${index * 2}]`);
      assertStringIncludes(answer.error.message, message);
      // A request without a path gives an error without a path, not with "undefined".
      assert(!problem.includes("[N]") || answer.path === "", answer.path);
      assertEquals(other?.kind, "page");
    }
    const [hole] = await workspace.readMany(new Array<PageRequest>(1));
    assertEquals(hole?.kind, "error");
  });
  it("requests that are not a list, and an invalid limit", async () => {
    const workspace = await openOn({ a: "x" });
    const calls: readonly (readonly [unknown, unknown, string])[] = [
      ["a", 5, NO_LIST],
      [null, 5, NO_LIST],
      ...[0, -1, 1.5, NaN, "5", null].map((maxBytes) =>
        [
          [{ path: "a" }],
          maxBytes,
          "maxBytes must be a whole number from 1 on, not ",
        ] as const
      ),
    ];
    for (const [requests, maxBytes, problem] of calls) {
      const error = await assertRejects(
        () =>
          workspace.readMany(requests as PageRequest[], {
            maxBytes: maxBytes as number,
          }),
        ReadFileError,
      );
      assertStringIncludes(
        error.message,
        `Cannot read several files: ${problem}`,
      );
      assertEquals([error.code, error.path], ["INVALID_ARGUMENT", ""]);
    }
  });
  it("invalid options", async () => {
    const workspace = await openOn({ a: "x" });
    const calls: readonly (readonly [unknown, string])[] = [
      [null, NO_OPTIONS],
      ["x", NO_OPTIONS],
      [[], NO_OPTIONS],
      [5, NO_OPTIONS],
      [
        { maxbytes: 1 },
        '"maxbytes" is unknown; the names are maxBytes, maxChars, maxTokens, maxFiles; did you mean maxBytes?',
      ],
      [{ count: 1 }, '"count" is unknown; the names are maxBytes, maxChars'],
      [{ signal: new AbortController().signal }, '"signal" is unknown; '],
    ];
    for (const [options, problem] of calls) {
      const error = await assertRejects(
        // A caller without types may pass anything.
        () => workspace.readMany([{ path: "a" }], options as object),
        ReadFileError,
      );
      assertStringIncludes(
        error.message,
        `Cannot read several files: ${problem}`,
      );
    }
  });
});
