/** Runs a program without the caches and settings of this machine. */

/** The result of a program. */
export interface Remains {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The working directory, and environment variables besides the search path. */
export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that runs longer than this counts as hung. */
const LIMIT_MS = 300_000;

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

/** Runs a program that must succeed; returns its output. */
export async function runWell(
  program: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, surroundings);
  if (code === 0) return stdout;
  throw new Error(
    `${program} ${args.join(" ")} failed with ${code}\n${stdout}\n${stderr}`,
  );
}

/**
 * Runs a program that answers messages, one per line. Closes its input after the
 * expected number of answers or at the end of its output, because a server need
 * not answer pending messages once its input is closed.
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
  // A program that does not read its input may have exited already.
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
