/** What a program on Windows is answered: run in each runtime, `probe.mjs OUT`, with the disk `C:` to itself. */
import * as fs from "node:fs";
import process from "node:process";
import * as reader from "../../mod.ts";
import { DENY, ROWS, SECRETS, TREE } from "../support/windows_rows.ts";

/** An answer, and the one that is right; a function where several are. */
interface Answer {
  readonly asked: string;
  readonly told: string;
  readonly wanted: string;
}

const answers: Answer[] = [];
const leaks: string[] = [];
const ROOT = "C:\\world\\ws";

/** Notes what a call answers; each must end in seconds. */
async function ask(
  asked: string,
  wanted: string,
  act: () => Promise<unknown>,
): Promise<void> {
  let told: string;
  let said: string;
  const hang = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("HANGS")), 20_000);
  });
  try {
    const answer = await Promise.race([act(), hang]);
    told = typeof answer === "string" ? answer : JSON.stringify(answer);
    said = told;
  } catch (error) {
    const { code, name, message, hint } = error as reader.ReadFileError;
    told = message === "HANGS" ? message : code ?? name;
    said = `${message} ${hint}`;
    if (hint === undefined && wanted !== "TypeError") {
      leaks.push(`${asked}: no hint`);
    }
  }
  if (SECRETS.test(said)) leaks.push(`${asked}: ${said}`);
  answers.push({ asked, told, wanted });
}

/** Plants the tree as far as wine can: it has no links, streams or short names. */
function plant(): void {
  fs.rmSync("C:\\world", { recursive: true, force: true });
  for (const line of TREE) {
    const [, path = "", how, text = ""] =
      /^(C:\\world\\[^:]*?)(?: \([^)]+\))?(?: (=|->|=>) (.*))?$/.exec(line) ??
        [];
    if (how === "->" || how === "=>" || path === "") continue;
    if (how === undefined) {
      fs.mkdirSync(path, { recursive: true });
      continue;
    }
    fs.mkdirSync(path.slice(0, path.lastIndexOf("\\")), { recursive: true });
    fs.writeFileSync(path, text);
  }
}

const textOf = async (workspace: reader.Workspace, path: string) =>
  (await workspace.read(path)).lines.map(({ text }) => text).join("\n");

/** The rows that need no link; wine knows no short names, but rules deny them by their form. */
const rows = ROWS.filter(([path]) =>
  !/^(?:src\\|l-dir\\)?[lj]-|^V~/.test(path)
);

async function main(): Promise<void> {
  plant();
  const { openWorkspace } = reader;
  for (const nonBlocking of [false, true]) {
    const port = reader.hostFs({ nonBlocking });
    const workspace = await openWorkspace(ROOT, { fs: port, deny: DENY });
    const how = nonBlocking ? " without blocking" : "";
    for (const [path, wanted] of rows) {
      await ask(`${path}${how}`, wanted, () => textOf(workspace, path));
    }
  }
  const options = { deny: DENY, denied: "hide" } as const;
  const hiding = await openWorkspace(ROOT, options);
  for (const [path, verdict] of rows) {
    if (verdict !== "POLICY_DENIED") continue;
    await ask(`hidden ${path}`, "NOT_FOUND", () => textOf(hiding, path));
  }
  const roots: Readonly<Record<string, string>> = {
    "C:\\world\\ws": "C:/world/ws",
    "C:/world/ws/": "C:/world/ws",
    "c:\\WORLD\\WS": "C:/WORLD/WS",
    "\\\\?\\C:\\world\\ws": "C:/world/ws",
    "\\\\.\\C:\\world\\ws": "C:/world/ws",
    "/C:/world/ws": "C:/world/ws",
    "C:\\": "C:/",
    "/world/ws": "INVALID_ARGUMENT",
    "\\world\\ws": "INVALID_ARGUMENT",
    "C:\\world\\nosuch": "NOT_FOUND",
    "C:\\world\\ws\\file.txt": "NOT_A_FILE",
    "C:\\world\\ws\\NUL": "INVALID_ARGUMENT",
    "C:\\world\\ws\\CON": "INVALID_ARGUMENT",
    "CON": "INVALID_ARGUMENT",
    "C:\\world\\ws.": "INVALID_ARGUMENT",
  };
  for (const [root, wanted] of Object.entries(roots)) {
    await ask(
      `root ${root}`,
      wanted,
      async () => (await openWorkspace(root)).root,
    );
  }
  process.chdir(ROOT);
  await ask(
    "root .",
    "C:/world/ws",
    async () => (await openWorkspace(".")).root,
  );
  await ask(
    "root C:",
    "C:/world/ws",
    async () => (await openWorkspace("C:")).root,
  );
  const workspace = await openWorkspace(ROOT, { deny: DENY });
  for (const path of ["..", "..\\out", "src\\..\\..", "C:\\world"]) {
    await ask(`list ${path}`, "OUTSIDE_WORKSPACE", () => workspace.list(path));
    await ask(
      `narrow ${path}`,
      "OUTSIDE_WORKSPACE",
      () => workspace.narrow({ root: path }),
    );
  }
  const names = async (path: string, depth: number) =>
    (await workspace.list(path, { depth })).entries.map((entry) => entry.path)
      .filter((name) => !name.startsWith("l-") && !name.startsWith("j-"))
      .join();
  const listed =
    "file.txt,longfilename.txt,src,src/deep,src/deep/a.ts,src/main.ts,sub";
  await ask("list .", listed, () => names(".", 3));
  await ask("list src\\deep", "a.ts", () => names("src\\deep", 1));
  const secrets = { deny: reader.SECRET_FILES };
  fs.mkdirSync("C:\\world\\home\\.ssh", { recursive: true });
  fs.writeFileSync("C:\\world\\home\\.ssh\\deploy", "DENIED");
  for (
    const [root, path] of [["home\\.ssh", "deploy"], ["home", ".ssh\\deploy"], [
      "HOME",
      ".SSH/deploy",
    ]] as const
  ) {
    await ask(
      `secret ${root} ${path}`,
      "POLICY_DENIED",
      async () =>
        await textOf(await openWorkspace(`C:\\world\\${root}`, secrets), path),
    );
  }
  for (const glob of ["private\\**", "**\\.env", "sub\\.env"]) {
    await ask(
      `deny ${glob}`,
      "TypeError",
      () => openWorkspace(ROOT, { deny: [glob] }),
    );
  }
  // The disk below wine takes names of 255 bytes, so a longer one is only missing.
  const long = "\u6f22".repeat(100);
  await ask("100 CJK letters", "NOT_FOUND", () => textOf(workspace, long));
  await ask(
    "a name of 256 letters",
    "INVALID_ARGUMENT",
    () => textOf(workspace, "n".repeat(256)),
  );
  const tool = reader.createOpenFile(workspace);
  for (
    const [file_path, wanted] of [["src\\main.ts", "true MAIN"], [
      "C:\\world\\ws\\src\\main.ts",
      "true MAIN",
    ]] as const
  ) {
    await ask(`open_file ${file_path}`, wanted, async () => {
      const { ok, content } = await reader.respond(tool, { file_path });
      return `${ok} ${content}`;
    });
  }
  const url = new URL("file:///C:/world/ws/src/main.ts");
  await ask("a file: URL", "MAIN", () => reader.openFile(workspace, url));
  fs.writeFileSync("C:\\world\\ws\\crlf.txt", "one\r\ntwo\r\n");
  await ask(
    "CRLF",
    "one|two",
    async () => (await textOf(workspace, "crlf.txt")).replace("\n", "|"),
  );
}

await main();
fs.writeFileSync(process.argv[2]!, JSON.stringify({ answers, leaks }));
process.exit(0);
