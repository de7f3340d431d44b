/** The environment of the consumer tests: a registry with the published packages. */

/** The environment; tests/consumers/main.ts creates and removes it. */
export interface World {
  /** The URL of the registry. */
  readonly registry: string;
  /** The folder of the repository. */
  readonly home: string;
  /** A folder for the tests. */
  readonly folder: string;
  /** The folder with the packages for npm. */
  readonly packed: string;
  /** The archive that JSR's npm layer would serve. */
  readonly tarball: string;
  /** The files that the dry run of the release lists. */
  readonly listed: readonly string[];
  /** The files that were published. */
  readonly published: readonly string[];
  /** The folder with these files. */
  readonly release: string;
}

const NAME = "READ_FILE_CONSUMERS";

/** The environment variables that pass the environment to a process. */
export function environmentOf(world: World): Record<string, string> {
  return { [NAME]: JSON.stringify(world) };
}

/** The environment that was passed to this process. */
export function worldHere(): World {
  const text = Deno.env.get(NAME);
  if (text === undefined) {
    throw new Error("The registry is missing: run `deno task test:consumers`");
  }
  // environmentOf() wrote it.
  return JSON.parse(text) as World;
}

/** Makes a folder for one test. */
export async function freshFolder(name: string): Promise<string> {
  const folder = `${worldHere().folder}/${name}`;
  await Deno.mkdir(folder, { recursive: true });
  return folder;
}

/** Writes files into a folder. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const to = `${folder}/${path}`;
    await Deno.mkdir(to.replace(/\/[^/]*$/, ""), { recursive: true });
    // A script must be executable.
    const mode = text.startsWith("#!") ? 0o755 : 0o644;
    await Deno.writeTextFile(to, text, { mode });
  }
}
