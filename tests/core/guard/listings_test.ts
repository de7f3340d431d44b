import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileEntry,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";

describe("the cached listings for suggestions", () => {
  it("are dropped after each search, so the next search sees changes", async () => {
    const fs = memoryFs({ "/ws/alpha.txt": "", "/ws/beta.txt": "" });
    let listed: FileEntry[] = [{ name: "alpha.txt", kind: "file" }];
    const workspace = await openWorkspace("/ws", {
      fs: { ...fs, list: () => Promise.resolve(listed) },
    });
    const suggestionsFor = async (path: string) => {
      const error = await assertRejects(
        () => workspace.read(path),
        ReadFileError,
      );
      return error.is("NOT_FOUND") ? error.details.suggestions : undefined;
    };
    assertEquals(await suggestionsFor("alpha.tx"), ["alpha.txt"]);
    listed = [{ name: "beta.txt", kind: "file" }];
    assertEquals(await suggestionsFor("beta.tx"), ["beta.txt"]);
  });
});
