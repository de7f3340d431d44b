import { assert, assertEquals } from "@std/assert";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type AttackRow, rootOf, ROWS } from "../suites/attacks.ts";
import { runChild } from "../support/child.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";
import { FOUR_TOOLS } from "../support/four_tools.ts";
import { plantAll, type PlantedTrees } from "../support/plant.ts";
import type { Order, Replies } from "../children/permission_attacks.ts";

/** The permissions for the attacks; Bun has no permissions. */
const PERMISSIONS = RUNTIME === "Bun" ? ["-A"] : ["--allow-read=ws", "-A"];

// With the root "/", no path is outside the permission.
const rows = ROWS.filter(({ id }) => id !== "ROOT-07");

/** The answers under certain permissions, and the permissions that were requested. */
interface AttackResults {
  readonly replies: ReadonlyMap<string, Replies>;
  /** The roots that may be read. */
  readonly roots: readonly string[];
  readonly asked: readonly { readonly permission: string; value: string }[];
}

/** Runs all attacks in one child process: one process for each would take minutes. */
function attack(
  permission: string,
  planted: PlantedTrees,
  log: string,
): AttackResults {
  const orders = rows.map((row): Order => {
    const { id, input } = row;
    const base = planted.baseOf(row);
    const path = typeof input === "string"
      ? input.replace("$T", base).replace("$HALF", "\ud800")
      : input;
    return { id, root: rootOf(row, base), input: path };
  });
  const roots = orders.flatMap(({ id, root }) =>
    // The root of ROOT-09 is missing; other roots are allowed by given and by real path.
    id === "ROOT-09" ? [root] : [root, realpathSync(root)]
  );
  const allowed = permission === "-A"
    ? permission
    : `--allow-read=${roots.join(",")}`;
  const { stdout, stderr } = runChild(
    "tests/children/permission_attacks.ts",
    [JSON.stringify(orders)],
    { permissions: [allowed], environment: { DENO_AUDIT_PERMISSIONS: log } },
  );
  const replies = new Map<string, Replies>(linesOf(stdout));
  if (replies.size < rows.length) {
    throw new Error(`${rows[replies.size]!.id} never ended\n${stderr}`);
  }
  const asked = RUNTIME === "Bun" ? [] : linesOf(readFileSync(log, "utf8"));
  return { replies, roots, asked: asked as AttackResults["asked"] };
}

// deno-lint-ignore no-explicit-any
function linesOf(text: string): any[] {
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** The code for a verdict of the corpus; `null` if the file is read. */
function codeOf(verdict: string): string | null {
  if (verdict.startsWith("ok:")) return null;
  const code = {
    invalid_path: "INVALID_ARGUMENT",
    not_a_directory: "NOT_FOUND",
    is_directory: "NOT_A_FILE",
    not_regular_file: "NOT_A_FILE",
  }[verdict];
  return code ?? verdict.toUpperCase();
}

/** Verdicts that differ for the absolute path, which Codex requires. */
const AS_WHOLE_PATH: Readonly<Record<string, string>> = {
  // The absolute path exceeds the limit.
  "OWN-04": "invalid_path",
};

function judge(row: AttackRow, replies: Replies): void {
  for (const { name } of FOUR_TOOLS) {
    const verdict = name === "CodexReadFile" && AS_WHOLE_PATH[row.id] ||
      row.expect.split("|")[0]!;
    const { ok, code, content } = replies[name]!;
    assertEquals(code, codeOf(verdict), `${name}: ${content}`);
    assertEquals(ok, code === null, name);
    const text = ok ? verdict.slice("ok:".length) : "";
    assert(content.includes(text), `${name} read ${content}`);
    // A hard link is inside; every other secret is outside.
    if (row.id.startsWith("HRD")) continue;
    assert(!content.includes("SECRET"), `${name} tells a secret`);
  }
}

const attacks = new Map<string, AttackResults>();
{
  // Runs before the tests, since a runner would count it in the time of one test.
  using planted = plantAll(rows);
  for (const permission of PERMISSIONS) {
    const log = join(planted.baseOf(rows[0]!), "permissions.jsonl");
    attacks.set(
      permission,
      attack(permission, planted, `${log}${attacks.size}`),
    );
  }
}

for (const [permission, { replies, roots, asked }] of attacks) {
  describe(`the four tools in ${RUNTIME} with ${permission}`, () => {
    for (const row of rows) {
      it(`${row.id} has the outcome of the suite`, () => {
        judge(row, replies.get(row.id)!);
      });
    }
    if (RUNTIME === "Bun") return;
    it("give the same answers with every set of permissions", () => {
      for (const other of attacks.values()) {
        assertEquals(withoutBases(replies), withoutBases(other.replies));
      }
    });
    if (permission === "-A") return;
    it("request only permission to read below the root", () => {
      assert(asked.length > rows.length, "no request was recorded");
      const strange = asked.filter(({ permission, value }) =>
        permission !== "read" ||
        !roots.some((root) => value === root || value.startsWith(`${root}/`))
      );
      assertEquals(strange, []);
    });
  });
}

/** The answers of the tools, without times. */
function withoutBases(replies: ReadonlyMap<string, Replies>): string {
  return JSON.stringify([...replies]).replaceAll(/mtime_ms\\":\d+/g, "");
}

describe("the permissions of the runtime", () => {
  it("allow a link that leads out, but the workspace does not", async () => {
    await using place = await onDisk(["secret: SECRET", "ws/l -> ../secret"]);
    const { stdout, stderr } = runChild(
      "tests/children/permission_read.ts",
      [place.root, "l"],
      { permissions: [`--allow-read=${place.root}`] },
    );
    assertEquals(stderr, "");
    const told = { runtime: "SECRET", ours: "OUTSIDE_WORKSPACE" };
    assertEquals(JSON.parse(stdout), told);
  });
});
