import { assert, assertEquals } from "@std/assert";
import { closeSync, existsSync, openSync, readlinkSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import { RUNTIME } from "../support/disk.ts";
import {
  FD_DIRECTORY,
  fdLinks,
  numberedFdDirectory,
} from "../../src/fs/disk.ts";

describe("numberedFdDirectory()", () => {
  it("replaces self by the process id", () => {
    const asked: string[] = [];
    const directory = numberedFdDirectory((path) => (asked.push(path), "4711"));
    assertEquals([directory, asked], ["/proc/4711/fd", ["/proc/self"]]);
  });
  it("keeps self if it is not a link to a number, or cannot be read", () => {
    for (const target of ["", "self", "12/../1", "../etc", " 1"]) {
      assertEquals(numberedFdDirectory(() => target), FD_DIRECTORY);
    }
    assertEquals(
      numberedFdDirectory(() => {
        throw new Error("refused");
      }),
      FD_DIRECTORY,
    );
  });
  // Deno allows this only with all permissions.
  if (RUNTIME === "Bun" && existsSync(FD_DIRECTORY)) {
    it("links to the files of this process", () => {
      const directory = numberedFdDirectory((path) => readlinkSync(path));
      assertEquals(directory, `/proc/${process.pid}/fd`);
      const fd = openSync(new URL(import.meta.url), "r");
      assertEquals(
        readlinkSync(`${directory}/${fd}`),
        readlinkSync(`${FD_DIRECTORY}/${fd}`),
      );
      closeSync(fd);
    });
  }
});

describe("fdLinks()", () => {
  it("finds the directory once, at the first use", () => {
    let looks = 0;
    const withLink = fdLinks(() => (looks++, "/links"));
    assertEquals(looks, 0);
    assertEquals(withLink(3, (link) => link), "/links/3");
    assertEquals(withLink(4, (link) => link), "/links/4");
    assertEquals(looks, 1);
  });
  it("stops asking once the runtime refused, but not after other failures", () => {
    const withLink = fdLinks(() => "/links");
    const fail = (name: string) => () => {
      throw Object.assign(new Error("no"), { name });
    };
    assertEquals(withLink(3, fail("NotFound")), undefined);
    assertEquals(withLink(3, (link) => link), "/links/3");
    assertEquals(withLink(3, fail("NotCapable")), undefined);
    let asked = false;
    assertEquals(withLink(3, () => asked = true), undefined);
    assert(!asked);
  });
});
