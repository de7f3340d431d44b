/** One file many times in a call. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  type FsPort,
  gunzipView,
  memoryFs,
  notebookView,
  openWorkspace,
  readerTools,
  type View,
} from "../../../mod.ts";
import { storedGzip } from "../../support/gzip.ts";
import { SAMPLE } from "../../support/notebooks.ts";

const FILES = {
  "/ws/book.ipynb": SAMPLE,
  "/ws/other.ipynb": SAMPLE,
  "/ws/log.gz": storedGzip(new TextEncoder().encode("one\ntwo\nthree\n")),
  "/ws/broken.ipynb": SAMPLE.slice(0, -2),
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`/ws/${at}.txt`, `${at}\n`]),
  ),
};

/** The tools, how often views were opened, and how many files were open at once. */
async function setUp() {
  const opened: string[] = [];
  const counted = (view: View): View => ({
    name: view.name,
    matches: (kind) => view.matches(kind),
    open(file, request) {
      opened.push(file.path);
      return view.open(file, request);
    },
  });
  const files = { now: 0, most: 0 };
  const fs = memoryFs(FILES);
  const watched: FsPort = {
    ...fs,
    async open(path, signal) {
      const handle = await fs.open(path, signal);
      files.most = Math.max(files.most, ++files.now);
      return {
        stat: () => handle.stat(),
        async read(buffer, position) {
          await new Promise((resolve) => setTimeout(resolve, 0));
          return await handle.read(buffer, position);
        },
        path: () => handle.path(),
        close() {
          files.now--;
          return handle.close();
        },
      };
    },
  };
  const workspace = await openWorkspace("/ws", {
    fs: watched,
    views: [notebookView(), gunzipView()].map(counted),
  });
  const tools = readerTools(workspace, { etags: "full" });
  return { tools, workspace, opened, files };
}

describe("read_files with one file many times", () => {
  for (const path of ["book.ipynb", "log.gz", "broken.ipynb"]) {
    it(`makes the view of ${path} once, and shows it each time`, async () => {
      const { tools: [readFile, readFiles], opened } = await setUp();
      const { output: alone, error } = await callTool(readFile, { path });
      const shown = alone?.text ?? error!.message;
      opened.length = 0;
      const files = Array.from({ length: 50 }, () => ({ path }));
      const { output } = await callTool(readFiles, { files });
      const least = path === "book.ipynb" ? 10 : 50;
      const count = output!.text.split(shown).length - 1;
      assert(count >= least, `${count} times: ${output!.text}`);
      assertEquals(opened, [path]);
    });
  }

  it("makes a view once in readMany(), too", async () => {
    const { workspace, opened } = await setUp();
    const path = "book.ipynb";
    const { text } = await workspace.read(path);
    opened.length = 0;
    const answers = await workspace.readMany(
      Array.from({ length: 100 }, () => ({ path })),
    );
    for (const answer of answers) {
      assertEquals(answer.kind === "page" && answer.page.text, text);
    }
    assertEquals(opened, [path]);
  });

  for (const kind of ["a string", "an object"]) {
    it(`keeps no more than 16 MiB of ${kind} in readMany()`, async () => {
      const bytes = new Uint8Array(9 * 1024 ** 2).fill(0x0a);
      const string = "\n".repeat(bytes.length);
      const opened: string[] = [];
      let read = 0;
      const view: View = {
        name: "v",
        matches: () => true,
        open(file) {
          opened.push(file.path);
          if (kind === "a string") return string;
          return {
            size: bytes.length,
            read(buffer, position) {
              const part = bytes.subarray(position, position + buffer.length);
              buffer.set(part);
              read += part.length;
              return part.length;
            },
          };
        },
      };
      const fs = memoryFs({ "/ws/a": "1", "/ws/b": "2" });
      const workspace = await openWorkspace("/ws", { fs, views: [view] });
      const ask = async (...paths: string[]) => {
        opened.length = 0;
        const requests = paths.map((path) => ({ path, maxBytes: 10 }));
        const answers = await workspace.readMany(requests);
        for (const answer of answers) {
          assertEquals(
            answer.kind === "page" && answer.page.text,
            "\n".repeat(10),
          );
        }
        return opened.length;
      };
      assertEquals(await ask("a", "b", "a", "b"), 3);
      read = 0;
      // Without a file that is named twice, no text is made whole.
      assertEquals(await ask("a", "b"), 2);
      assert(read < bytes.length, `${read} bytes`);
    });
  }

  it("shares it among the lines that a path names, and not between files", async () => {
    const { tools: [readFile, readFiles], opened } = await setUp();
    const path = "book.ipynb:1-2,4";
    const { output: one } = await callTool(readFile, { path });
    assertEquals(opened, ["book.ipynb"]);
    opened.length = 0;
    const { output } = await callTool(readFiles, {
      files: [path, "other.ipynb", "book.ipynb:1"],
    });
    assert(output!.text.startsWith(one!.text), output!.text);
    assertEquals(opened.toSorted(), ["book.ipynb", "other.ipynb"]);
  });

  it("has at most four files open at once", async () => {
    const { tools: [, readFiles], files } = await setUp();
    const { output } = await callTool(readFiles, {
      files: Array.from({ length: 20 }, (_, at) => `${at}.txt`),
    });
    assertEquals(output!.text.split("End of file.").length, 21);
    assertEquals(files, { now: 0, most: 4 });
  });
});
