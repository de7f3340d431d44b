/**
 * What only a real macOS can show: APFS in both modes, HFS+, which ctimes a rename
 * sets, and whether `/.vol` names open files. For CI: `macos.mjs OUT`.
 */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import process from "node:process";
import * as reader from "../../mod.ts";

const notes: string[] = [];
const failures: string[] = [];
const home = fs.realpathSync(fs.mkdtempSync("/tmp/read-file-"));

function check(asked: string, told: string, wanted: string): void {
  if (told !== wanted) failures.push(`${asked} is ${told}, not ${wanted}`);
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, [...args], { encoding: "utf8" }).trim();
}

async function verdictOf(
  workspace: reader.Workspace,
  path: string,
): Promise<string> {
  try {
    const { lines } = await workspace.read(path);
    const text = lines.map((line) => line.text).join("\n");
    if (/SECRET|DENIED/.test(text)) failures.push(`LEAK ${path}: ${text}`);
    return text;
  } catch (error) {
    if (!(error instanceof reader.ReadFileError)) throw error;
    return error.code;
  }
}

const NFC = "caf\u00e9";
const NFD = "cafe\u0301";

/** Reads a workspace on a volume, and attacks it. */
async function attack(volume: string, tellsCase: boolean): Promise<void> {
  const root = `${volume}/ws`;
  fs.mkdirSync(`${root}/src`, { recursive: true });
  fs.mkdirSync(`${volume}/out`);
  const files: Readonly<Record<string, string>> = {
    "ws/a.txt": "INSIDE",
    "ws/src/main.ts": "MAIN",
    "ws/.env": "DENIED",
    [`ws/${NFC}.txt`]: "CAFE",
    [`ws/${NFC}.key`]: "DENIED",
    "out/secret.txt": "SECRET",
  };
  for (const [path, text] of Object.entries(files)) {
    fs.writeFileSync(`${volume}/${path}`, text);
  }
  fs.symlinkSync("../out/secret.txt", `${root}/l-up`);
  fs.symlinkSync(`${root}/a.txt`, `${root}/l-in`);
  const { dev, ino } = fs.statSync(`${volume}/out/secret.txt`);
  const either = (text: string) => tellsCase ? "NOT_FOUND" : text;
  const deny = [".env", `${NFC}.key`];
  const rows: Readonly<Record<string, string>> = {
    "a.txt": "INSIDE",
    "A.TXT": either("INSIDE"),
    [`${NFC}.txt`]: "CAFE",
    [`${NFD}.txt`]: "CAFE",
    [`${root}/a.txt`]: "INSIDE",
    [`${root.toUpperCase()}/a.txt`]: tellsCase ? "OUTSIDE_WORKSPACE" : "INSIDE",
    "l-in": "INSIDE",
    "l-up": "OUTSIDE_WORKSPACE",
    "../out/secret.txt": "OUTSIDE_WORKSPACE",
    "a.txt/..namedfork/rsrc": "NOT_FOUND",
    [`/.vol/${dev}/${ino}`]: "OUTSIDE_WORKSPACE",
    ".env": "POLICY_DENIED",
    ".ENV": "POLICY_DENIED",
    [`${NFD}.key`]: "POLICY_DENIED",
    "src\\main.ts": "NOT_FOUND",
  };
  for (const nonBlocking of [false, true]) {
    const port = reader.hostFs({ nonBlocking });
    const workspace = await reader.openWorkspace(root, { fs: port, deny });
    for (const [path, wanted] of Object.entries(rows)) {
      check(`${volume}: ${path}`, await verdictOf(workspace, path), wanted);
    }
  }
  const long = "\u6f22".repeat(100);
  try {
    fs.writeFileSync(`${root}/${long}`, "LONG");
    const workspace = await reader.openWorkspace(root);
    check("100 CJK letters", await verdictOf(workspace, long), "LONG");
  } catch (error) {
    notes.push(`no name of 300 bytes on ${volume}: ${error}`);
  }
  run("mkfifo", `${root}/fifo`);
  const workspace = await reader.openWorkspace(root);
  check("a FIFO", await verdictOf(workspace, "fifo"), "NOT_A_FILE");
}

/** Whether a rename, and a swap, set the ctime of what they move: the proof rests on it. */
function checkTimes(volume: string): void {
  const folder = `${volume}/times`;
  fs.mkdirSync(`${folder}/d`, { recursive: true });
  fs.symlinkSync("d", `${folder}/l`);
  const ctimeOf = (name: string) =>
    fs.lstatSync(`${folder}/${name}`, { bigint: true }).ctimeNs;
  // HFS+ counts seconds.
  const wait = () => run("sleep", "2");
  for (const name of ["d", "l"]) {
    const before = ctimeOf(name);
    wait();
    fs.renameSync(`${folder}/${name}`, `${folder}/${name}2`);
    const isSet = ctimeOf(`${name}2`) > before;
    check(
      `${volume}: a rename sets the ctime of ${name}`,
      String(isSet),
      "true",
    );
  }
  const before = [ctimeOf("d2"), ctimeOf("l2")];
  wait();
  const swap =
    "import ctypes,sys; l=ctypes.CDLL(None,use_errno=True); sys.exit(l.renamex_np(sys.argv[1].encode(),sys.argv[2].encode(),2) and ctypes.get_errno())";
  try {
    run("python3", "-c", swap, `${folder}/d2`, `${folder}/l2`);
  } catch (error) {
    notes.push(`no RENAME_SWAP on ${volume}: ${error}`);
    return;
  }
  // The names have changed places.
  check(
    `${volume}: a swap sets the ctime of a link`,
    String(ctimeOf("d2") > before[1]!),
    "true",
  );
  check(
    `${volume}: a swap sets the ctime of a directory`,
    String(ctimeOf("l2") > before[0]!),
    "true",
  );
  // setattrlist() of ATTR_CMN_CHGTIME: whether a program can set a ctime back.
  const set = `
import ctypes, struct, sys
l = ctypes.CDLL(None, use_errno=True)
attributes = struct.pack("HHIIIII", 5, 0, 0x800, 0, 0, 0, 0)
time = struct.pack("qq", 978307200, 0)
sys.exit(l.setattrlist(sys.argv[1].encode(), attributes, time, len(time), 0) and ctypes.get_errno())`;
  try {
    run("python3", "-c", set, `${folder}/l2`);
    const isSet = fs.lstatSync(`${folder}/l2`).ctime.getFullYear() === 2001;
    check(`${volume}: a program can set a ctime back`, String(isSet), "false");
  } catch (error) {
    notes.push(`setattrlist() refuses a ctime on ${volume}: ${error}`);
  }
}

/** Whether the real path of `/.vol/DEV/INO` is that of an open file, which would make the proof exact. */
function lookAtVol(volume: string): void {
  const path = `${volume}/vol.txt`;
  fs.writeFileSync(path, "x");
  const fd = fs.openSync(path, "r");
  const { dev, ino } = fs.fstatSync(fd, { bigint: true });
  const told = () => {
    try {
      return fs.realpathSync.native(`/.vol/${dev}/${ino}`);
    } catch (error) {
      return String(error);
    }
  };
  const first = told();
  fs.renameSync(path, `${path}2`);
  const second = told();
  fs.closeSync(fd);
  const isExact = first === path && second === `${path}2`;
  notes.push(
    `/.vol on ${volume} is ${isExact ? "" : "not "}exact: ${first}, ${second}`,
  );
}

for (
  const [name, kind, tellsCase] of [
    ["apfs", "APFS", false],
    ["cased", "Case-sensitive APFS", true],
    ["hfs", "HFS+", false],
  ] as const
) {
  const image = `${home}/${name}.dmg`;
  const volume = `${home}/${name}`;
  fs.mkdirSync(volume);
  run(
    "hdiutil",
    "create",
    "-size",
    "64m",
    "-fs",
    kind,
    "-volname",
    name,
    image,
  );
  run("hdiutil", "attach", "-nobrowse", "-mountpoint", volume, image);
  try {
    await attack(volume, tellsCase);
    checkTimes(volume);
    lookAtVol(volume);
  } finally {
    run("hdiutil", "detach", "-force", volume);
  }
}
fs.writeFileSync(process.argv[2]!, JSON.stringify({ failures, notes }));
process.exit(0);
