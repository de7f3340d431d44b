import { assertEquals, assertMatch } from "@std/assert";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { runChild } from "../support/child.ts";
import { RUNTIME } from "../support/disk.ts";
import {
  loosePath,
  objectOf,
  repositoryOf,
} from "../support/git_repository.ts";

const FILES = { "a": "hello", "fifo": "in a FIFO", "link": "outside" };

/** Writes a repository: one object is a FIFO, and one a link to a file outside that has its content. */
function plant() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  const repository = join(base, "repository");
  for (const [path, content] of Object.entries(repositoryOf(FILES))) {
    const place = join(repository, ".git", path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
  const objectAt = (content: string) =>
    join(repository, ".git", loosePath(objectOf("blob", content).oid));
  const fifo = objectAt(FILES.fifo);
  unlinkSync(fifo);
  execFileSync("mkfifo", [fifo]);
  const link = objectAt(FILES.link);
  const outside = join(base, "outside");
  writeFileSync(outside, readFileSync(link));
  unlinkSync(link);
  symlinkSync(outside, link);
  return {
    base,
    repository,
    [Symbol.dispose]: () => rmSync(base, { recursive: true }),
  };
}

describe("gitFs() on a disk", () => {
  it("opens no FIFO, follows no link out, and needs no permission but to read the repository", () => {
    using place = plant();
    const { base, repository } = place;
    const audit = join(base, "audit.jsonl");
    const { code, stdout, stderr } = runChild(
      "tests/children/git_read.ts",
      [repository, "main", "a", "fifo", "link", "none"],
      {
        permissions: [`--allow-read=${repository}`],
        environment: { DENO_AUDIT_PERMISSIONS: audit },
      },
    );
    assertEquals([code, stderr], [0, ""]);
    assertEquals(JSON.parse(stdout), [
      "hello",
      "IO",
      "OUTSIDE_WORKSPACE",
      "NOT_FOUND",
    ]);
    if (RUNTIME === "Bun") return;
    assertEquals(existsSync(audit), true);
    const asked = readFileSync(audit, "utf8").trim().split("\n")
      .map((line) => JSON.parse(line));
    for (const { permission, value } of asked) {
      assertEquals(permission, "read", String(value));
    }
    const ours = asked.filter(({ value }) => String(value).startsWith(base));
    for (const { value } of ours) {
      assertMatch(String(value), new RegExp(`^${repository}(/|"|$)`));
    }
  });
});
