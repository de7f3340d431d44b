/** Runs git, to compare with it. */

/** The environment of git: no settings of the user or the system. */
const ENV = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
  GIT_TERMINAL_PROMPT: "0",
};

/** How long a call of git may take: it hangs on some broken repositories. */
const LIMIT_MS = 300_000;

/** Runs git in a folder, and gives what it wrote; throws if it fails. */
export async function git(
  folder: string,
  args: readonly string[],
  input?: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const child = new Deno.Command("git", {
    args: ["-C", folder, "-c", "gc.auto=0", "-c", "safe.directory=*", ...args],
    env: ENV,
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(LIMIT_MS),
  }).spawn();
  const writing = input === undefined
    ? undefined
    : new Blob([new Uint8Array(input)]).stream().pipeTo(child.stdin);
  const { success, stdout, stderr } = await child.output();
  await writing?.catch(() => {});
  if (!success) {
    const told = new TextDecoder().decode(stderr);
    throw new Error(`git ${args.join(" ")}: ${told}`);
  }
  return stdout;
}

/** The same, as text without the last line feed. */
export async function gitText(
  folder: string,
  args: readonly string[],
): Promise<string> {
  const text = new TextDecoder().decode(await git(folder, args));
  return text.replace(/\n$/, "");
}

/** One process that gives objects by their names. */
export class CatFile implements Disposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #held = new Uint8Array(0);

  constructor(folder: string, mode: "--batch" | "--batch-check") {
    this.#child = new Deno.Command("git", {
      args: ["-C", folder, "-c", "safe.directory=*", "cat-file", mode],
      env: ENV,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.getReader();
  }

  /** The line that describes an object: its name, its type and its size; or why there is none. */
  async check(name: string): Promise<string> {
    await this.#writer.write(new TextEncoder().encode(`${name}\n`));
    let end: number;
    while ((end = this.#held.indexOf(10)) < 0) await this.#readOn();
    const line = new TextDecoder().decode(this.#held.subarray(0, end));
    this.#held = this.#held.subarray(end + 1);
    return line;
  }

  /** The content of an object. */
  async content(oid: string): Promise<Uint8Array> {
    const line = await this.check(oid);
    const size = Number(/ (\d+)$/.exec(line)?.[1]);
    if (Number.isNaN(size)) throw new Error(`git says: ${line}`);
    while (this.#held.length < size + 1) await this.#readOn();
    const content = this.#held.slice(0, size);
    this.#held = this.#held.subarray(size + 1);
    return content;
  }

  async #readOn(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done) throw new Error("git cat-file ended");
    const joined = new Uint8Array(this.#held.length + value.length);
    joined.set(this.#held);
    joined.set(value, this.#held.length);
    this.#held = joined;
  }

  [Symbol.dispose](): void {
    this.#child.kill();
    this.#writer.close().catch(() => {});
    this.#reader.cancel().catch(() => {});
  }
}
