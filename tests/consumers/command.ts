/** Runs a program without caches and settings of this machine. */

/** The result of a program. */
export interface Remains {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where it runs, and its environment besides the search path. */
export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The time after which a program counts as hung. */
const LIMIT_MS = 60_000;

/** Runs a program to its end. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: Surroundings,
): Promise<Remains> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", NO_COLOR: "1", ...env },
    stdin: "null",
    signal: AbortSignal.timeout(LIMIT_MS),
  }).output();
  const decoder = new TextDecoder();
  return {
    code,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
  };
}

/** The same for a program that must not fail; returns its output. */
export async function runWell(
  program: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, surroundings);
  if (code === 0) return stdout;
  throw new Error(
    `${program} ${args.join(" ")} came to ${code}\n${stdout}\n${stderr}`,
  );
}

/**
 * Runs a program that answers messages, one on a line. Its input ends after the
 * expected number of answers, or when its output ends: a server need not answer
 * pending messages when its input ends.
 */
export async function converse(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: Surroundings,
  messages: readonly object[],
  answers: number,
): Promise<Remains> {
  const child = new Deno.Command(program, {
    ...{ args: [...args], cwd, clearEnv: true },
    env: { PATH: Deno.env.get("PATH") ?? "", NO_COLOR: "1", ...env },
    ...{ stdin: "piped", stdout: "piped", stderr: "piped" },
    signal: AbortSignal.timeout(LIMIT_MS),
  }).spawn();
  const writer = child.stdin.getWriter();
  const text = messages.map((message) =>
    `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`
  ).join("");
  // A program that reads no input may have ended before.
  const written = writer.write(new TextEncoder().encode(text)).catch(() => {});
  const stderr = child.stderr.text();
  let stdout = "";
  let isOpen = true;
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    stdout += chunk;
    if (!isOpen || stdout.split("\n").length <= answers) continue;
    isOpen = false;
    await written;
    await writer.close().catch(() => {});
  }
  if (isOpen) await writer.close().catch(() => {});
  const { code } = await child.status;
  return { code, stdout, stderr: await stderr };
}
