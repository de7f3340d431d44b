/** Tests the playground in a real browser, compared with the library. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { toFileUrl } from "@std/path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { after, describe, it } from "node:test";
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  readerTools,
  respond,
  type Tool,
  type Workspace,
} from "../../mod.ts";
import { connect } from "../support/mcp.ts";
import { BrowserPage } from "./browser.ts";
import { build, serveFolder } from "./site.ts";

/** A text of several pages for every tool, with a hidden character in line 2. */
const LINES = Array.from(
  { length: 450 },
  (_, at) => at === 1 ? "if (admin\u202e) {" : `line ${at + 1}`,
);
const CONTENT = `${LINES.join("\n")}\n`;

const folder = await Deno.realPath(await Deno.makeTempDir());
await Deno.writeTextFile(`${folder}/a.txt`, CONTENT);
await build();
const site = serveFolder(0);
const page = await BrowserPage.start();
after(async () => {
  await page[Symbol.asyncDispose]();
  await site.close();
  await Deno.remove(folder, { recursive: true });
});

const SIZES = { mobile: false, deviceScaleFactor: 1, width: 1200, height: 900 };

await page.send("Emulation.setDeviceMetricsOverride", SIZES);
await page.send("Page.navigate", { url: `http://127.0.0.1:${site.port}/` });
await page.until(`document.getElementById("status")?.textContent > ""`);

const quoted = JSON.stringify;
const textOf = (id: string) =>
  page.evaluate(`document.getElementById("${id}").textContent`);

/** Selects a tool, and calls it. */
async function call(tool: number, args: object): Promise<void> {
  await page.evaluate(`{
    const tool = document.getElementById("tool");
    tool.selectedIndex = ${tool};
    const args = document.getElementById("args");
    args.value = ${quoted(quoted(args))};
    args.dispatchEvent(new Event("input"));
    document.getElementById("status").textContent = "";
    document.getElementById("call").requestSubmit();
  }`);
  await page.until(`document.getElementById("status").textContent > ""`);
}

/** The answer without the marks on hidden characters. */
async function answer(): Promise<string> {
  return String(await textOf("answer")).replaceAll("\\u{202E}", "\u202e");
}

const fs = memoryFs({ "/files/a.txt": CONTENT });
const workspace = await openWorkspace("/files", { fs });

const TOOLS: readonly {
  /** Its place in the list of the page. */
  readonly index: number;
  readonly name: string;
  readonly make: (workspace: Workspace) => Tool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether the tool's answers name the next call. */
  readonly goesOn: boolean;
}[] = [
  {
    index: 0,
    name: "read_file",
    make: (workspace) => readerTools(workspace)[0],
    args: { path: "a.txt", maxChars: 1000 },
    goesOn: true,
  },
  {
    index: 1,
    name: "read_files",
    make: (workspace) => readerTools(workspace)[1],
    args: { files: [{ path: "a.txt", end: 3 }] },
    goesOn: false,
  },
  {
    index: 3,
    name: "Read",
    make: (workspace) => createForgeRead(workspace),
    args: { path: "a.txt", start_line: 1, limit: 200 },
    goesOn: true,
  },
  {
    index: 4,
    name: "the toolkit's read_file",
    make: (workspace) => createToolkitReadFile(workspace),
    args: { path: "a.txt", max_lines: 200 },
    goesOn: true,
  },
  {
    index: 5,
    name: "open_file",
    make: (workspace) => createOpenFile(workspace),
    args: { file_path: "a.txt", start_line: 1, end_line: 3 },
    goesOn: false,
  },
  {
    index: 6,
    name: "codex",
    make: (workspace) => createCodexReadFile(workspace),
    args: { file_path: "/files/a.txt", limit: 200 },
    goesOn: true,
  },
];

describe("the playground", () => {
  it("shows an answer at once, without an error", async () => {
    assertMatch(String(await textOf("status")), /^Success: \d+ characters/);
    assertEquals(page.faults, []);
  });
  it("accepts files, and shows them", async () => {
    await page.choose("#chosen", [`${folder}/a.txt`]);
    await page.until(`document.getElementById("file").value === "a.txt"`);
    assertMatch(
      String(await textOf("files")),
      new RegExp(`a\\.txt${CONTENT.length + 2} bytes`),
    );
  });
  for (const { index, name, make, args, goesOn } of TOOLS) {
    it(`shows the same answers as ${name} gives a model, up to the end`, async () => {
      await call(index, args);
      const wanted = (await respond(make(workspace), args)).text;
      const shown = await answer();
      // The etags differ, since they identify different files.
      const bare = (text: string) => text.replace(/"etag":"[^"]*"/, "");
      assertEquals(bare(shown), bare(wanted));
      const seen = [shown];
      const isDone = `document.getElementById("next").disabled`;
      while (await page.evaluate(isDone) !== true) {
        await page.evaluate(`{
          document.getElementById("status").textContent = "";
          document.getElementById("next").click();
        }`);
        await page.until(`document.getElementById("status").textContent > ""`);
        seen.push(await answer());
        assert(seen.length < 100);
      }
      assertEquals(seen.length > 1, goesOn);
      const all = seen.join("\n");
      const missing = LINES.filter((line) => !all.includes(line));
      assertEquals(missing, goesOn ? [] : LINES.slice(3));
    });
    it(`shows code that gets the same answer from ${name}`, async () => {
      await call(index, args);
      const shown = await answer();
      await page.evaluate(`document.getElementById("language").value = "Deno"`);
      const code = String(await textOf("code")).replaceAll("/files", folder);
      await Deno.writeTextFile(`${folder}/call.ts`, code);
      await Deno.writeTextFile(`${folder}/map.json`, quoted(await mapHere()));
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--quiet",
          "--no-check",
          "--no-config",
          `--import-map=${folder}/map.json`,
          `--allow-read=${folder}`,
          `${folder}/call.ts`,
        ],
      }).output();
      const told = new TextDecoder().decode(stdout);
      const plain = (text: string) =>
        text.replace(/"(etag|mtime_ms)":("[^"]*"|\d+)/g, "")
          .replaceAll(folder, "/files").trim();
      assertEquals(plain(told), plain(shown), new TextDecoder().decode(stderr));
    });
  }
  for (const { index, name, args } of TOOLS) {
    it(`shows an MCP call that gets the lines of ${name}`, async () => {
      await call(index, args);
      const shown = await answer();
      await page.evaluate(`{
        const language = document.getElementById("language");
        language.value = "MCP";
        language.dispatchEvent(new Event("change"));
      }`);
      const code = String(await textOf("code")).replaceAll("/files", folder);
      const [start = "", request = ""] = code.split("\n\n");
      const [, words = ""] = /read-file-mcp@\S+ (.*)$/.exec(start) ?? [];
      await using server = await connect([folder], { args: words.split(" ") });
      const { params } = JSON.parse(request);
      const { ok, text } = await server.call(params.arguments, params.name);
      assert(ok, text);
      for (const line of LINES.filter((line) => shown.includes(line))) {
        // The server shows hidden characters as escapes, and divides pages differently.
        assert(text.includes(line) || line.includes("\u202e"), line);
      }
    });
  }
  it("marks hidden characters", async () => {
    await call(5, { file_path: "a.txt", start_line: 2, end_line: 2 });
    const marks = `[...document.querySelectorAll("#answer mark")]
      .map((mark) => mark.textContent).join()`;
    assertEquals(await page.evaluate(marks), "\\u{202E}");
  });
  it("explains a failure", async () => {
    await call(5, { file_path: "b.txt" });
    assertMatch(String(await textOf("status")), /^Failure:/);
    assertEquals(
      await answer(),
      'file not found: b.txt\ndid you mean "a.txt"?',
    );
  });
  it("accepts selected arguments, and searches", async () => {
    await call(0, { path: "a.txt" });
    await page.evaluate(`{
      for (const [name, value] of [["match", "line 44"], ["maxChars", 5000]]) {
        const input = document.querySelector("#fields [name=" + name + "]");
        input.value = value;
        input.dispatchEvent(new Event("change"));
      }
      document.getElementById("status").textContent = "";
      document.getElementById("call").requestSubmit();
    }`);
    await page.until(`document.getElementById("status").textContent > ""`);
    const asked = await page.evaluate(`document.getElementById("args").value`);
    const wanted = { path: "a.txt", match: "line 44", maxChars: 5000 };
    assertEquals(JSON.parse(String(asked)), wanted);
    const [readFile] = readerTools(workspace);
    assertEquals(await answer(), (await respond(readFile, wanted)).text);
  });
  it("counts the tokens of an answer", async () => {
    await call(0, { path: "a.txt", count: 20 });
    await page.until(
      `document.getElementById("status").textContent.includes("(o200k)")`,
    );
    const status = String(await textOf("status"));
    const [, told, beside] =
      /, (\d+) tokens \(o200k\); cat -n of the whole file: (\d+)$/
        .exec(status) ?? [];
    const [readFile] = readerTools(workspace);
    const wanted = await respond(readFile, { path: "a.txt", count: 20 });
    assertEquals(Number(told), countTokens(wanted.text));
    const rows = LINES.map((line, at) =>
      `${String(at + 1).padStart(6)}\t${line}\n`
    );
    assertEquals(Number(beside), countTokens(rows.join("")));
  });
  it("works with the keyboard only", async () => {
    await page.evaluate(`document.getElementById("tool").focus()`);
    for (let steps = 0; steps < 30; steps++) {
      const id = await page.evaluate("document.activeElement.id");
      if (id === "args") break;
      await page.press("Tab");
    }
    assertEquals(await page.evaluate("document.activeElement.id"), "args");
    await page.evaluate(`{
      const args = document.getElementById("args");
      document.getElementById("tool").selectedIndex = 3;
      args.value = "";
      document.getElementById("status").textContent = "";
    }`);
    await page.type('{"path":"a.txt","start_line":1,"limit":2}');
    await page.press("Enter", 2);
    await page.until(`document.getElementById("status").textContent > ""`);
    const [first] = (await answer()).split("\n\nNote: more lines follow");
    assertEquals(first, "1| line 1\n2| if (admin\u202e) {");
    await page.press("Enter", 1);
    await page.until(
      `document.getElementById("answer").textContent.startsWith("3|")`,
    );
    await page.press("Tab");
    assertEquals(await page.evaluate("document.activeElement.id"), "run");
  });
  it("shows the call as a model sends it to each vendor", async () => {
    const args = { path: "a.txt", count: 3 };
    await call(0, args);
    for (
      const form of ["OpenAI", "OpenAI Chat", "Anthropic", "Gemini", "AI SDK"]
    ) {
      await page.evaluate(`{
        const language = document.getElementById("language");
        language.value = "${form}";
        language.dispatchEvent(new Event("change"));
      }`);
      const shown = String(await textOf("code"));
      JSON.parse(shown);
      const plain = shown.replaceAll("\\", "").replace(/\s/g, "");
      assert(plain.includes(JSON.stringify(args)), shown);
      assert(plain.includes('"read_file"'), shown);
    }
  });
  it("has files, call and answer above the fold, side by side", async () => {
    const desktop = { ...SIZES, width: 1280, height: 900 };
    await page.send("Emulation.setDeviceMetricsOverride", desktop);
    await call(0, { path: "one-line.json", maxChars: 4000 });
    const places = await page.evaluate(`JSON.stringify(
      ["files-part", "call", "answer-part"].map((id) => {
        const { left, right, top } = document.getElementById(id)
          .getBoundingClientRect();
        return { left, right, top };
      }))`);
    const [files, form, shown] = JSON.parse(String(places));
    assert(files.right <= form.left && form.right <= shown.left);
    assert(Math.max(files.top, form.top, shown.top) < 200);
    const fold = `document.getElementById("answer").getBoundingClientRect()`;
    assert(Number(await page.evaluate(`${fold}.bottom`)) <= 900);
    // A line of 4,000 characters is wrapped.
    const sideways = `(({ scrollWidth, clientWidth }) =>
      scrollWidth - clientWidth)(document.getElementById("answer"))`;
    assertEquals(await page.evaluate(sideways), 0);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assertEquals(width, 1280);
    await page.evaluate(`document.getElementById("file").value = "a.txt"`);
  });
  it("fits a phone", async () => {
    const phone = { ...SIZES, width: 360, height: 740, mobile: true };
    await page.send("Emulation.setDeviceMetricsOverride", phone);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assertEquals(width, 360);
    const small = `[...document.querySelectorAll("button, select, input")]
      .filter((one) => one.type !== "checkbox" && one.type !== "file")
      .filter((one) => one.getBoundingClientRect().height < 40).length`;
    assertEquals(await page.evaluate(small), 0);
  });
  it("sends nothing, and its policy forbids it", async () => {
    assertEquals(site.asked.toSorted(), [
      "GET /",
      "GET /page.css",
      "GET /page.js",
      "GET /tokens.js",
    ]);
    const sent = `fetch("/page.css").then(() => "sent", () => "refused")`;
    assertEquals(await page.evaluate(sent), "refused");
    assertEquals(site.asked.length, 4);
  });
});

/** The import map of the tests, with absolute paths. */
async function mapHere() {
  const url = new URL("../npm_std.json", import.meta.url);
  const { imports } = JSON.parse(await Deno.readTextFile(url));
  const std = Object.entries<string>(imports)
    .filter(([name]) => name.startsWith("@std/"))
    .map(([name, to]) => [
      name,
      toFileUrl(Deno.cwd()).href +
      to.replace(/^npm:deno-std@[^/]+/, "/node_modules/deno-std"),
    ]);
  const ours = new URL("../../mod.ts", import.meta.url).href;
  return {
    imports: {
      ...Object.fromEntries(std),
      "jsr:@agent-tools/read-file@^0.2": ours,
    },
  };
}
