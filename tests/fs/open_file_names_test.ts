import { assert, assertEquals } from "@std/assert";
import { closeSync, existsSync, openSync, readlinkSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import { RUNTIME } from "../support/disk.ts";
import { numberedNames, openFileNames, OWN_NAMES } from "../../src/fs/disk.ts";

describe("numberedNames()", () => {
  it("replaces self by the process id", () => {
    const asked: string[] = [];
    const names = numberedNames((path) => (asked.push(path), "4711"));
    assertEquals([names, asked], ["/proc/4711/fd", ["/proc/self"]]);
  });
  it("keeps self if it is not a link to a number, or cannot be read", () => {
    for (const target of ["", "self", "12/../1", "../etc", " 1"]) {
      assertEquals(numberedNames(() => target), OWN_NAMES);
    }
    assertEquals(
      numberedNames(() => {
        throw new Error("refused");
      }),
      OWN_NAMES,
    );
  });
  // Deno allows this only with all permissions.
  if (RUNTIME === "Bun" && existsSync(OWN_NAMES)) {
    it("names the files of this process", () => {
      const names = numberedNames((path) => readlinkSync(path));
      assertEquals(names, `/proc/${process.pid}/fd`);
      const fd = openSync(new URL(import.meta.url), "r");
      assertEquals(
        readlinkSync(`${names}/${fd}`),
        readlinkSync(`${OWN_NAMES}/${fd}`),
      );
      closeSync(fd);
    });
  }
});

describe("openFileNames()", () => {
  it("finds the directory once, at the first use", () => {
    let looks = 0;
    const ask = openFileNames(() => (looks++, "/names"));
    assertEquals(looks, 0);
    assertEquals(ask(3, (name) => name), "/names/3");
    assertEquals(ask(4, (name) => name), "/names/4");
    assertEquals(looks, 1);
  });
  it("stops asking once the runtime refused, but not after other failures", () => {
    const ask = openFileNames(() => "/names");
    const fail = (name: string) => () => {
      throw Object.assign(new Error("no"), { name });
    };
    assertEquals(ask(3, fail("NotFound")), undefined);
    assertEquals(ask(3, (name) => name), "/names/3");
    assertEquals(ask(3, fail("NotCapable")), undefined);
    let asked = false;
    assertEquals(ask(3, () => asked = true), undefined);
    assert(!asked);
  });
});
