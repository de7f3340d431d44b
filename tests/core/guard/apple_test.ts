/** Attacks on a workspace on a simulated disk of macOS. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, ReadFileError, type Workspace } from "../../../mod.ts";
import { fsPortSuite } from "../../suites/fs_port.ts";
import { type LayOut, readLayout } from "../../support/layout.ts";
import { SimulatedApfs } from "../../support/simulated_apfs.ts";

/** Creates a layout on a simulated disk. */
// deno-lint-ignore require-await
const onApfs: LayOut = async (layout) => {
  const lines = readLayout(layout).map((entry) => {
    const path = `/base/${entry.path}`;
    if (entry.kind === "file") return `${path} = ${entry.text}`;
    if (entry.kind !== "link") return `${path}/`;
    return `${path} -> ${entry.to.replace("$", "/base")}`;
  });
  return {
    fs: new SimulatedApfs(["/base/ws/", ...lines]).port(),
    base: "/base",
    root: "/base/ws",
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

fsPortSuite("a simulated APFS", onApfs, { lacks: ["compositions"] });

const NFC = "caf\u00e9";
const NFD = "cafe\u0301";

const TREE: readonly string[] = [
  "/private/tmp/ws/a.txt = INSIDE",
  "/private/tmp/ws/src/main.ts = MAIN",
  `/private/tmp/ws/${NFC}/a = CAFE`,
  "/private/tmp/ws/.env = DENIED",
  `/private/tmp/ws/${NFC}.key = DENIED`,
  "/private/tmp/ws/Stra\u00dfe.txt = STREET",
  "/private/tmp/out/secret.txt = SECRET",
  "/private/tmp/other/a.txt = SECRET",
  "/tmp -> private/tmp",
  "/private/tmp/ws/l-case -> /PRIVATE/TMP/WS/a.txt",
  "/private/tmp/ws/l-given -> /tmp/ws/a.txt",
  "/private/tmp/ws/l-up -> ../out/secret.txt",
  "/private/tmp/ws/l-out -> /private/TMP/out/secret.txt",
  "/private/tmp/ws/l-env -> .ENV",
  "/private/tmp/ws/l-fork -> a.txt/..namedfork/rsrc",
];

const OUT = "OUTSIDE_WORKSPACE";
const NO = "POLICY_DENIED";
const NONE = "NOT_FOUND";

const ROWS: readonly (readonly [path: string, verdict: string])[] = [
  ["a.txt", "INSIDE"],
  ["A.TXT", "INSIDE"],
  ["/tmp/ws/a.txt", "INSIDE"],
  ["/private/tmp/ws/a.txt", "INSIDE"],
  ["/TMP/WS/a.txt", "INSIDE"],
  ["/Private/Tmp/Ws/SRC/main.ts", "MAIN"],
  [`${NFC}/a`, "CAFE"],
  [`${NFD}/a`, "CAFE"],
  [`${NFD.toUpperCase()}/A`, "CAFE"],
  ["l-case", "INSIDE"],
  ["l-given", "INSIDE"],
  ["..\\out", NONE],
  ["src\\main.ts", NONE],
  ["C:\\ws", NONE],
  ["C:a.txt", NONE],
  ["\\\\?\\a.txt", NONE],
  ["../out/secret.txt", OUT],
  ["/TMP/out/secret.txt", OUT],
  ["/tmp/ws/../out/secret.txt", OUT],
  ["/TMP/WS/../ws/a.txt", OUT],
  ["/tmp/other/a.txt", OUT],
  ["/.vol/16777220/22", OUT],
  ["l-up", OUT],
  ["l-out", OUT],
  ["a.txt/..namedfork/rsrc", NONE],
  ["l-fork", NONE],
  [".env", NO],
  [".ENV", NO],
  ["/TMP/WS/.Env", NO],
  ["l-env", NO],
  [`${NFD}.key`, NO],
  [`${NFC.toUpperCase()}.KEY`, NO],
];

async function verdictOf(workspace: Workspace, path: string): Promise<string> {
  try {
    const { lines } = await workspace.read(path);
    return lines.map(({ text }) => text).join("\n");
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    const said = JSON.stringify([error.message, error.hint, error.details]);
    assert(!/SECRET|DENIED|FORK/.test(said), said);
    return error.code;
  }
}

const DENY = [".env", `${NFC}.key`];

describe("attacks on macOS", () => {
  for (const root of ["/tmp/ws", "/private/tmp/ws", "/Tmp/WS"]) {
    it(`fail where the root is ${root}`, async () => {
      const disk = new SimulatedApfs(TREE);
      const options = { fs: disk.port(), deny: DENY };
      const workspace = await openWorkspace(root, options);
      assertEquals(workspace.root, root);
      disk.calls.length = 0;
      for (const [path, verdict] of ROWS) {
        const isGiven = root !== "/private/tmp/ws" || !/^\/tmp/i.test(path) &&
            path !== "l-given";
        // A root that was opened by its real path is not known by a link to it.
        const wanted = isGiven || verdict === OUT ? verdict : OUT;
        assertEquals(await verdictOf(workspace, path), wanted, path);
      }
      const strayed = disk.calls.filter((call) =>
        !/^\w+ \/private\/tmp\/ws(?:\/|$)/.test(call)
      );
      assertEquals(strayed, []);
    });
  }
  it("narrow to nothing outside, in any spelling", async () => {
    const options = { fs: new SimulatedApfs(TREE).port(), deny: DENY };
    const workspace = await openWorkspace("/tmp/ws", options);
    const src = await workspace.narrow({ root: "/TMP/ws/SRC" });
    assertEquals(await verdictOf(src, "/tmp/WS/src/main.ts"), "MAIN");
    assertEquals(await verdictOf(src, "../a.txt"), OUT);
    const error = await assertRejects(
      () => workspace.narrow({ root: "/TMP/out" }),
      ReadFileError,
    );
    assertEquals(error.code, OUT);
  });
});

describe("the root of a workspace on macOS", () => {
  it("is compared exactly on a volume that tells case", async () => {
    const lines = ["/w/ws/a = LOWER", "/w/WS/a = UPPER"];
    const fs = new SimulatedApfs(lines, true).port();
    const workspace = await openWorkspace("/w/ws", { fs });
    assertEquals(await verdictOf(workspace, "/w/ws/a"), "LOWER");
    assertEquals(await verdictOf(workspace, "/w/WS/a"), OUT);
  });
  it("is compared in any composition, also without letters of two cases", async () => {
    const lines = ["/\u304b\u3099/ws/a = INSIDE", "/\u304c2/ws/a = SECRET"];
    const fs = new SimulatedApfs(lines).port();
    const workspace = await openWorkspace("/\u304b\u3099", { fs });
    assertEquals(await verdictOf(workspace, "/\u304c/ws/a"), "INSIDE");
    assertEquals(await verdictOf(workspace, "/\u304c2/ws/a"), OUT);
  });
  it("takes names of 255 code units of UTF-16", async () => {
    const name = "\u6f22".repeat(255);
    const fs = new SimulatedApfs([`/ws/${name} = CJK`]).port();
    const workspace = await openWorkspace("/ws", { fs });
    assertEquals(await verdictOf(workspace, name), "CJK");
    assertEquals(await verdictOf(workspace, `${name}x`), "INVALID_ARGUMENT");
  });
});
