/** Options of callers that do not check types. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  bunFs,
  createAgentToolkit,
  denoFs,
  httpFs,
  memoryFs,
  openWorkspace,
} from "../../../mod.ts";
import { mountFs, overlayFs } from "../../../layers/mod.ts";

/** Removes the type, as in JavaScript. */
const any = (value: unknown) => value as never;

const fs = memoryFs({ "/repo/.env": "KEY=1" });
const NO_OBJECT = "options must be a plain object, not null";
const NO_PORT = "fs must be a file system, such as memoryFs({}), not ";
const OF_OPENING =
  "is unknown; the names are fs, deny, denied, signal, detect, views, revisions, cacheBytes";
const OF_NARROWING = "is unknown; the names are root, deny, denied, signal";

const OPENING: readonly (readonly [unknown, string])[] = [
  [null, NO_OBJECT],
  ["*.key", "options must be a plain object, not a string"],
  // If ignored, this option would deny nothing.
  [{ fs, denny: [".env"] }, `"denny" ${OF_OPENING}; did you mean deny?`],
  [{ fs, Deny: [".env"] }, `"Deny" ${OF_OPENING}; did you mean deny?`],
  [{ fs, root: "src" }, `"root" ${OF_OPENING}`],
  [{ fs: null }, `${NO_PORT}null`],
  [{ fs: {} }, `${NO_PORT}an object`],
];

describe("openWorkspace() refuses", () => {
  for (const [options, problem] of OPENING) {
    it(`options: ${problem}`, async () => {
      const error = await assertRejects(
        () => openWorkspace("/repo", any(options)),
        TypeError,
      );
      assertEquals(error.message, `Cannot open a workspace: ${problem}`);
    });
  }
  it("no unknown option whose value is undefined", async () => {
    const options = { fs, deny: undefined, other: undefined };
    const workspace = await openWorkspace("/repo", any(options));
    assertEquals((await workspace.read(".env")).size, 5);
  });
});

describe("a root refuses an unknown option", () => {
  it("when it is narrowed", async () => {
    const workspace = await openWorkspace("/repo", { fs });
    for (
      const [options, problem] of [
        [null, NO_OBJECT],
        [{ rot: "src" }, `"rot" ${OF_NARROWING}; did you mean root?`],
        [{ denny: ["*"] }, `"denny" ${OF_NARROWING}; did you mean deny?`],
      ] as const
    ) {
      const error = await assertRejects(
        () => workspace.narrow(any(options)),
        TypeError,
      );
      assertEquals(error.message, `Cannot open a workspace: ${problem}`);
    }
  });
});

it("narrow() without options changes nothing", async () => {
  const workspace = await openWorkspace("/repo", { fs });
  const narrowed = await workspace.narrow(any(undefined));
  assertEquals((await narrowed.read(".env")).size, 5);
});

describe("createAgentToolkit() refuses an unknown option", () => {
  const place = { workspaceRoot: "/repo", fs };
  const known =
    "workspace, workspaceRoot, policy, tools, fs, deny, denied, signal, detect, views, revisions, cacheBytes";
  for (
    const [options, problem] of [
      [null, NO_OBJECT],
      // If ignored, this option would allow everything.
      [
        { ...place, polcy: { tools: {} } },
        `"polcy" is unknown; the names are ${known}; did you mean policy?`,
      ],
      [
        { ...place, denny: [] },
        `"denny" is unknown; the names are ${known}; did you mean deny?`,
      ],
    ] as const
  ) {
    it(problem, async () => {
      const error = await assertRejects(
        () => createAgentToolkit(any(options)),
        TypeError,
      );
      assertEquals(error.message, `Cannot make a toolkit: ${problem}`);
    });
  }
});

const MEMORY = "Cannot make a memory file system: ";
const FILES =
  `${MEMORY}files must be a plain object, such as { "/a.txt": "hello" }, not `;
const ENTRY =
  `${MEMORY}"/a" is neither text, bytes, { content }, { link } nor { kind }`;
const DISK = "Cannot reach a disk: ";
const HTTP = "Cannot read over HTTP: ";
const EDITS =
  "Cannot overlay edits: edits must be a Map or a plain object of edits, by path, not ";

const PORTS: readonly (readonly [string, () => unknown, string])[] = [
  ...([
    [null, "null"],
    [undefined, "undefined"],
    ["x", "a string"],
    [[], "an array"],
    [Promise.resolve({}), "a promise; await it"],
    [new Map([["/a", "x"]]), "an object"],
  ] as const).map(([files, shown]) =>
    [
      `memoryFs() of ${shown}`,
      () => memoryFs(any(files)),
      FILES + shown,
    ] as const
  ),
  ...[
    null,
    5,
    {},
    { kind: "file" },
    { link: 5 },
    { content: 5 },
    { content: "", mtimeMs: "5" },
  ].map((entry) =>
    [
      `memoryFs() of ${JSON.stringify(entry)} at a path`,
      () => memoryFs({ "/a": any(entry) }),
      ENTRY,
    ] as const
  ),
  ["denoFs(null)", () => denoFs(any(null)), DISK + NO_OBJECT],
  ["bunFs(null)", () => bunFs(any(null)), DISK + NO_OBJECT],
  [
    "denoFs() with a misspelled option",
    () => denoFs(any({ nonBlockin: true })),
    `${DISK}"nonBlockin" is unknown; the names are nonBlocking; did you mean nonBlocking?`,
  ],
  ["httpFs() with null", () => httpFs("http://x", any(null)), HTTP + NO_OBJECT],
  [
    "httpFs() with an unknown option",
    () => httpFs("http://x", any({ retires: 2 })),
    `${HTTP}"retires" is unknown; the names are fetch, headers, timeoutMs, attempts`,
  ],
  [
    "httpFs() with a misspelled option",
    () => httpFs("http://x", any({ atempts: 2 })),
    `${HTTP}"atempts" is unknown; the names are fetch, headers, timeoutMs, attempts; did you mean attempts?`,
  ],
  [
    "overlayFs() with a list",
    () => overlayFs(fs, any([])),
    `${EDITS}an array`,
  ],
  [
    "overlayFs() with a set",
    () => overlayFs(fs, any(new Set(["/a"]))),
    `${EDITS}an object`,
  ],
  [
    "overlayFs() with a function",
    () => overlayFs(fs, any(() => "x")),
    `${EDITS}a function`,
  ],
  [
    "mountFs() with a map",
    () => mountFs(any(new Map([["/a", fs]]))),
    'Cannot mount anything: mounts must be a plain object, such as { "/repo": memoryFs({}) }, not an object',
  ],
  ...([[5, "5"], [null, "null"], ["", '""']] as const).map((
    [root, shown],
  ) =>
    [
      `mountFs() with the root ${shown}`,
      () => mountFs({ "/a": { fs, root: any(root) } }),
      `Cannot mount "/a": its root must be the path of a directory, or left out, not ${shown}`,
    ] as const
  ),
  [
    "mountFs() with a misspelled option",
    () => mountFs({ "/a": any({ fs, rot: "/" }) }),
    'Cannot mount "/a": "rot" is unknown; the names are fs, root',
  ],
];

describe("a port is not made by", () => {
  for (const [what, make, message] of PORTS) {
    it(what, () => {
      assertEquals(assertThrows(make, TypeError).message, message);
    });
  }
});
