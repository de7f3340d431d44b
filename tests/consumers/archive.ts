/** Archives in the format of npm and JSR. */
import { runWell } from "./command.ts";

/** The content of files, by path in a folder. */
export type Files = Map<string, Uint8Array<ArrayBuffer>>;

/** Packs a folder below `package/`, like npm. */
export async function pack(
  folder: string,
  archive: string,
): Promise<Uint8Array<ArrayBuffer>> {
  await runWell("tar", ["-czf", archive, "package"], { cwd: folder });
  return await Deno.readFile(archive);
}

/** Unpacks an archive into a folder. */
export async function unpack(
  archive: Uint8Array<ArrayBuffer>,
  folder: string,
): Promise<Files> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeFile(`${folder}.tgz`, archive);
  await runWell("tar", ["-xzf", `${folder}.tgz`], { cwd: folder });
  return await filesOf(folder);
}

/** All files below a folder. */
export async function filesOf(folder: string, below = ""): Promise<Files> {
  const files: Files = new Map();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (!isDirectory) files.set(below + name, await Deno.readFile(path));
    else {
      for (const entry of await filesOf(path, `${below}${name}/`)) {
        files.set(...entry);
      }
    }
  }
  return files;
}
