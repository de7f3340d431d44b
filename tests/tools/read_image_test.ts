import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createAgentToolkit,
  createReadImage,
  createToolkitReadFile,
  definitions,
  imagePart,
  memoryFs,
  openWorkspace,
  ReadFileError,
  respond,
  type VendorImages,
} from "../../mod.ts";
import { gif, png } from "../support/images.ts";
import { base64 } from "../support/notebooks.ts";
import { replyOf } from "../support/replies.ts";

const DOT = png(3, 2);
const FILES = {
  "/ws/a.png": DOT,
  // The extension does not match the content.
  "/ws/b.jpg": gif(20, 10, 3),
  "/ws/wide.png": png(9000, 1),
  "/ws/cut.png": DOT.slice(0, 40),
  "/ws/secret/a.png": DOT,
  "/ws/a.txt": "text\n",
};
const fs = memoryFs(FILES);
const VENDORS: readonly (keyof VendorImages)[] = [
  "openai",
  "openai-chat",
  "anthropic",
  "gemini",
  "mcp",
  "ai-sdk",
];

const kitOf = (policy = {}) =>
  createAgentToolkit({
    workspaceRoot: "/ws",
    fs,
    deny: ["secret/"],
    policy,
    tools: [createToolkitReadFile, createReadImage],
  });

describe("the tool read_image", () => {
  it("gives a toolkit the image, as a part for each vendor", async () => {
    const kit = await kitOf();
    const result = await kit.tools.read_image({ path: "a.png" });
    assert(result.status === "success");
    const { mediaType, width, height, bytes } = result.data;
    assertEquals([mediaType, width, height, bytes], ["image/png", 3, 2, DOT]);
    const workspace = await openWorkspace("/ws", { fs });
    const image = await workspace.readImage("a.png");
    for (const vendor of VENDORS) {
      assertEquals(imagePart(vendor, result.data), imagePart(vendor, image));
    }
  });
  it("is defined for each vendor, if the policy allows it", async () => {
    const namesOf = async (policy: object) => {
      const tools: unknown = definitions("anthropic", await kitOf(policy));
      return (tools as { name: string }[]).map(({ name }) => name);
    };
    assertEquals(await namesOf({}), ["read_file", "read_image"]);
    const policy = { tools: { read_image: "deny" } };
    assertEquals(await namesOf(policy), ["read_file"]);
    const result = await (await kitOf(policy)).invoke("read_image", {
      path: "a.png",
    });
    assert(result.status === "denied" && result.reason === "policy");
  });
  it("respects the workspace and its deny rules", async () => {
    const kit = await kitOf();
    const codes: unknown[] = [];
    for (const path of ["secret/a.png", "../a.png", "none.png", "a.txt"]) {
      const result = await kit.tools.read_image({ path });
      codes.push(result.status === "success" ? "read" : result.error.code);
    }
    assertEquals(codes, [
      "POLICY_DENIED",
      "SANDBOX_VIOLATION",
      "NOT_FOUND",
      "UNREADABLE",
    ]);
  });
  it("shows a model the image, and describes it in words", async () => {
    const tool = createReadImage(await openWorkspace("/ws", { fs }));
    const told = async (path: string) => await respond(tool, { path });
    assertEquals(
      await told("b.jpg"),
      replyOf({
        ok: true,
        content: `image/gif, 20 x 10 pixels, ${
          FILES["/ws/b.jpg"].length
        } bytes, animated: 3 frames`,
        images: [{ data: base64(FILES["/ws/b.jpg"]), mimeType: "image/gif" }],
      }),
    );
    assertEquals(
      await told("wide.png"),
      replyOf({
        ok: false,
        content:
          'Cannot read "wide.png": it cannot be shown as "image": it is 9000 x 1 pixels, and models take 8000 a side\nmake it smaller with another tool',
      }),
    );
    assertEquals((await told("cut.png")).ok, false);
  });
  it("accepts limits from its maker, and only the path as an argument", async () => {
    const workspace = await openWorkspace("/ws", { fs });
    const wide = createReadImage(workspace, { maxSide: Infinity });
    assertEquals((await wide.call({ path: "wide.png" })).width, 9000);
    const small = createReadImage(workspace, { maxBytes: 10 });
    const { error } = await callTool(small, { path: "a.png" });
    assert(error?.is("TOO_LARGE"));
    assertEquals(error.details.limit, 10);
    for (const args of [{ path: "a.png", maxBytes: 1 }, {}, { path: "" }]) {
      const error = await assertRejects(
        () => wide.call(args as { path: string }),
        ReadFileError,
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
    }
  });
});
