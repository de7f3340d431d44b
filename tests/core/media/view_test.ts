import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
  type View,
} from "../../../mod.ts";

const VIEW: View = { name: "odd", matches: () => true, open: () => "text\n" };

async function failureOf(parts: object) {
  const fs = memoryFs({ "/a": "file" });
  const views = [{ ...VIEW, ...parts }];
  const workspace = await openWorkspace("/", { fs, views });
  return await assertRejects(() => workspace.read("a"), ReadFileError);
}

describe("a view that does not hold to its interface", () => {
  const secret = () => {
    throw new Error("secret");
  };
  const read = () => 0;
  const odd: Readonly<Record<string, object>> = {
    "throws as it opens": { open: secret },
    "throws as it is matched": { matches: secret },
    "returns nothing": { open: () => null },
    "returns a number": { open: () => 5 },
    "returns no size": { open: () => ({ read }) },
    "returns a size below 0": { open: () => ({ size: -1, read }) },
    "cannot be read": { open: () => ({ size: 1 }) },
  };
  for (const [what, parts] of Object.entries(odd)) {
    it(`is UNREADABLE if it ${what}`, async () => {
      const error = await failureOf(parts);
      assert(error.is("UNREADABLE"), error.code);
      assertEquals(error.details, { as: "odd", problem: "the view failed" });
      assert(!error.message.includes("secret"));
    });
  }
});
