/**
 * What only a real Windows can show: links, junctions, streams, short names, shares,
 * directories that tell case, ReFS, and a ChangeTime that was set. For CI:
 * `windows.mjs OUT`, as an administrator, with `C:\world` to itself.
 */
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import process from "node:process";
import * as reader from "../../mod.ts";
import { DENY, ROWS, SECRETS, TREE } from "../support/windows_rows.ts";

const ROOT = "C:\\world\\ws";
const notes: string[] = [];
const failures: string[] = [];
/** The links that Windows does not make, or does not follow. */
const unmade: string[] = [];

function check(asked: string, told: string, wanted: string): void {
  if (told !== wanted) failures.push(`${asked} is ${told}, not ${wanted}`);
}

/** Runs a program of Windows; returns what it wrote. */
function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, [...args], { encoding: "utf8" }).trim();
}

/** Tries what not every machine has; says so if it does not. */
async function tryTo(what: string, act: () => unknown): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const [line] = String(error).split("\n");
    notes.push(`not tried: ${what}: ${line}`);
    return false;
  }
}

async function verdictOf(
  workspace: reader.Workspace,
  path: string,
): Promise<string> {
  try {
    const { lines } = await workspace.read(path);
    const text = lines.map((line) => line.text).join("\n");
    if (SECRETS.test(text)) failures.push(`LEAK ${path}: ${text}`);
    return text;
  } catch (error) {
    if (!(error instanceof reader.ReadFileError)) throw error;
    return error.code;
  }
}

function plant(): void {
  fs.rmSync("C:\\world", { recursive: true, force: true });
  const volume = run("mountvol", "C:", "/L");
  const links: (readonly [path: string, how: string, to: string])[] = [];
  for (const line of TREE) {
    const [, path = "", short, how, rest = ""] =
      /^(C:\\world\\.*?)(?: \(([^)]+)\))?(?: (=|->|=>) (.*))?$/.exec(line) ??
        [];
    if (path === "") continue;
    if (how === "->" || how === "=>") {
      links.push([path, how, rest.replace(/^\\\\\?\\Volume\{c\}\\/, volume)]);
      continue;
    }
    const folder = how === undefined
      ? path
      : path.slice(0, path.lastIndexOf("\\"));
    fs.mkdirSync(folder, { recursive: true });
    if (how === "=") {
      try {
        fs.writeFileSync(path, rest);
      } catch (error) {
        // A runtime may refuse to write a stream.
        if (!path.includes(":", 2)) throw error;
        notes.push(`cannot write ${path}: ${error}`);
      }
    }
    if (short !== undefined) {
      try {
        run("fsutil", "file", "setshortname", path.replace(/\\$/, ""), short);
      } catch {
        notes.push(`no short name ${short}`);
      }
    }
  }
  for (const [path, how, to] of links) {
    // mklink writes the target as it is; node:fs would change it.
    const isFolder = /^C:\\world\\ws\\(?:l-dir|V~1)$/.test(path);
    const flags = how === "=>" ? ["/J"] : isFolder ? ["/D"] : [];
    const target = to.replace(/^\\\?\?\\UNC\\/, "\\\\")
      .replace(/^\\\?\?\\/, "");
    const name = path.slice(path.lastIndexOf("\\") + 1);
    try {
      run("cmd", "/d", "/c", "mklink", ...flags, path, target);
      // It may write another target than the one of a volume.
      if (target.startsWith(volume)) fs.statSync(path);
    } catch (error) {
      unmade.push(name);
      notes.push(`no ${name}: ${String(error).split("\n")[0]}`);
    }
  }
}

/** Sets the ChangeTime of a file to 2001, as any writer may. */
function setChangeTime(path: string): void {
  const script = `
Add-Type -TypeDefinition @"
using System; using System.IO; using System.Runtime.InteropServices; using Microsoft.Win32.SafeHandles;
public struct Basic { public long C, A, W, T; public uint F; public uint P; }
public static class Times {
  [DllImport("kernel32", SetLastError = true)] static extern bool SetFileInformationByHandle(SafeFileHandle h, int c, ref Basic b, int n);
  public static void Set(string p) {
    using (var f = File.Open(p, FileMode.Open, FileAccess.ReadWrite)) {
      var b = new Basic { T = new DateTime(2001, 1, 1).ToFileTimeUtc() };
      if (!SetFileInformationByHandle(f.SafeFileHandle, 0, ref b, 40)) throw new Exception("refused " + Marshal.GetLastWin32Error());
    }
  }
}
"@
[Times]::Set("${path}")`;
  run("powershell", "-NoProfile", "-Command", script);
}

/** Swaps a directory and a junction until it is ended; `windows.mjs OUT swap`. */
function swapForever(): void {
  const at = "C:\\world\\race\\d";
  for (let count = 0;; count++) {
    try {
      if (count % 2 === 0) {
        fs.renameSync(at, `${at}-kept`);
        fs.symlinkSync("C:\\world\\out", at, "junction");
      } else {
        fs.rmdirSync(at);
        fs.renameSync(`${at}-kept`, at);
      }
    } catch {
      // Windows refuses to rename a directory with open files below.
    }
  }
}

async function race(): Promise<void> {
  fs.mkdirSync("C:\\world\\race\\d", { recursive: true });
  fs.writeFileSync("C:\\world\\race\\d\\secret.txt", "INSIDE");
  const workspace = await reader.openWorkspace("C:\\world\\race");
  const permissions = "Deno" in globalThis ? ["run", "-A"] : [];
  const child = spawn(
    process.execPath,
    [...permissions, process.argv[1]!, "-", "swap"],
    { stdio: "ignore" },
  );
  const counts = new Map<string, number>();
  const end = Date.now() + 20_000;
  while (Date.now() < end) {
    for (const path of ["d\\secret.txt", "d\\nosuch"]) {
      const told = await verdictOf(workspace, path);
      counts.set(told, (counts.get(told) ?? 0) + 1);
    }
  }
  child.kill();
  const told = JSON.stringify([...counts]);
  notes.push(`race: ${told}`);
  if (!counts.has("INSIDE")) failures.push(`the race read nothing: ${told}`);
}

async function main(): Promise<void> {
  const { openWorkspace } = reader;
  plant();
  for (const nonBlocking of [false, true]) {
    const port = reader.hostFs({ nonBlocking });
    const workspace = await openWorkspace(ROOT, { fs: port, deny: DENY });
    for (const [path, wanted] of ROWS) {
      const told = await verdictOf(workspace, path);
      if (path.split("\\").some((name) => unmade.includes(name))) continue;
      const how = nonBlocking ? " without blocking" : "";
      check(`${path}${how}`, told, wanted);
    }
  }
  const free = await openWorkspace(ROOT);
  const long = await verdictOf(free, "LONGFI~1.TXT");
  notes.push(`without rules, a short name is ${long}`);
  const key = await verdictOf(free, "j-volkey\\key.txt");
  if (!unmade.includes("j-volkey")) {
    check("j-volkey without rules", key, "OUTSIDE_WORKSPACE");
  }
  const { entries } = await free.list(".");
  const kindOf = (name: string) =>
    entries.find(({ path }) => path === name)?.kind;
  for (const name of ["j-in", "j-vol", "j-out", "l-up"]) {
    if (unmade.includes(name)) continue;
    check(`the kind of ${name}`, String(kindOf(name)), "symlink");
  }
  await tryTo("subst", async () => {
    run("subst", "X:", "C:\\world");
    const workspace = await openWorkspace("X:\\ws");
    check("subst", await verdictOf(workspace, "X:\\ws\\file.txt"), "INSIDE");
    check(
      "subst, real",
      await verdictOf(workspace, "C:\\world\\ws\\file.txt"),
      "INSIDE",
    );
    check(
      "subst, out",
      await verdictOf(workspace, "X:\\outside.txt"),
      "OUTSIDE_WORKSPACE",
    );
    run("subst", "X:", "/D");
  });
  await tryTo("a share", async () => {
    const share = "\\\\localhost\\C$\\world\\ws";
    const workspace = await openWorkspace(share, { deny: DENY });
    check("share", await verdictOf(workspace, "file.txt"), "INSIDE");
    check(
      "share, whole",
      await verdictOf(workspace, `${share}\\file.txt`),
      "INSIDE",
    );
    for (
      const path of [
        "..\\outside.txt",
        "l-up",
        "j-out\\secret.txt",
        "j-vol\\secret.txt",
      ]
    ) {
      check(
        `share, ${path}`,
        await verdictOf(workspace, path),
        "OUTSIDE_WORKSPACE",
      );
    }
  });
  await tryTo("a directory that tells case", async () => {
    fs.mkdirSync("C:\\world\\cs");
    run("fsutil", "file", "setCaseSensitiveInfo", "C:\\world\\cs", "enable");
    fs.mkdirSync("C:\\world\\cs\\ws");
    run(
      "fsutil",
      "file",
      "setCaseSensitiveInfo",
      "C:\\world\\cs\\ws",
      "enable",
    );
    fs.mkdirSync("C:\\world\\cs\\WS");
    fs.writeFileSync("C:\\world\\cs\\ws\\a", "LOWER");
    fs.writeFileSync("C:\\world\\cs\\ws\\A", "UPPER");
    const workspace = await openWorkspace("C:\\world\\cs\\ws");
    check("a", await verdictOf(workspace, "a"), "LOWER");
    check("A", await verdictOf(workspace, "A"), "UPPER");
    check(
      "another root",
      await verdictOf(workspace, "C:\\world\\cs\\WS\\a"),
      "OUTSIDE_WORKSPACE",
    );
    const strict = await openWorkspace("C:\\world\\cs\\ws", { deny: ["a"] });
    check("a rule", await verdictOf(strict, "A"), "POLICY_DENIED");
  });
  await tryTo("a ChangeTime that is set", async () => {
    const path = `${ROOT}\\src\\main.ts`;
    setChangeTime(path);
    const set = fs.statSync(path).ctime.getFullYear();
    notes.push(`the ChangeTime can be set: ${set === 2001}`);
    check("after it", await verdictOf(free, "src\\main.ts"), "MAIN");
  });
  await tryTo("long names", async () => {
    for (const name of ["\u6f22".repeat(200), "n".repeat(255)]) {
      fs.writeFileSync(`\\\\?\\${ROOT}\\${name}`, "NAMED");
      check(`${name.length} letters`, await verdictOf(free, name), "NAMED");
    }
  });
  await tryTo("ReFS", async () => {
    const steps = [
      "create vdisk file=C:\\world\\refs.vhdx maximum=6000 type=expandable",
      "attach vdisk",
      "create partition primary",
      "format fs=refs quick",
      "assign letter=R",
    ];
    fs.writeFileSync("C:\\world\\steps.txt", steps.join("\r\n"));
    run("diskpart", "/s", "C:\\world\\steps.txt");
    fs.mkdirSync("R:\\ws");
    fs.writeFileSync("R:\\ws\\a.txt", "REFS");
    fs.writeFileSync("R:\\out.txt", "SECRET");
    const workspace = await openWorkspace("R:\\ws");
    notes.push(`on ReFS, a file is ${await verdictOf(workspace, "a.txt")}`);
    check(
      "ReFS, out",
      await verdictOf(workspace, "..\\out.txt"),
      "OUTSIDE_WORKSPACE",
    );
  });
  await race();
}

if (process.argv[3] === "swap") swapForever();
await main();
fs.writeFileSync(process.argv[2]!, JSON.stringify({ failures, notes }));
process.exit(0);
