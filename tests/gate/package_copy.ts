// Copies the package, to try a release, and lists what Deno would publish.
import { cp } from "node:fs/promises";
import { basename } from "node:path";

/** The folders of the other packages; each is released separately. */
export const MEMBERS: readonly string[] = [
  "detect",
  "git",
  "highlight",
  "layers",
  "pdf",
  "mcp",
  "testing",
];

const NOT_COPIED = [".gate", ".git", "bench", "node_modules"];

/** Copies the library and the given `members` to a new folder. */
export async function copyPackage(
  folder: string,
  members: readonly string[] = [],
): Promise<void> {
  const left = MEMBERS.filter((name) => !members.includes(name));
  await cp(".", folder, {
    filter: (source) =>
      !NOT_COPIED.includes(basename(source)) && !left.includes(source),
    recursive: true,
  });
}

/** The files that Deno would publish, and its output. */
export interface DryRun {
  readonly files: readonly string[];
  readonly said: string;
}

/** Lists what Deno would publish of a folder; the types are not checked. */
export async function dryRun(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<DryRun> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty", "--no-check"],
    cwd: folder,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  const said = decoder.decode(stdout) + decoder.decode(stderr);
  if (!success) throw new Error(`Deno would not publish this:\n${said}`);
  const root = `file://${folder}/`;
  const files = Array.from(
    said.matchAll(/^ +(file:\S+) \(/gm),
    ([, url = ""]) => decodeURI(url).replace(root, ""),
  );
  return { files, said };
}
