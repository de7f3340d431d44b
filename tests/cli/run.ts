/** Runs a command line in this process, on files in memory. */
import { type FsPort, memoryFs } from "../../mod.ts";
import { runCommand } from "../../src/cli/command.ts";
import { BrokenPipeError, type Outlet } from "../../src/cli/shell.ts";

/** The output of a command line. */
export interface Said {
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
  readonly code: number;
}

/** How to run it. */
export interface RunOptions {
  /** Whether standard output and standard error are a terminal. */
  readonly isTerminal?: boolean;
  /** Whether the terminal takes styles. */
  readonly styles?: boolean;
  /** The files; {@linkcode FILES} by default. */
  readonly fs?: FsPort;
  /** How long a scan may take before progress is shown. */
  readonly patienceMs?: number;
  /** What the standard input holds. */
  readonly input?: Uint8Array;
  /** Waits between two looks at a file that is followed. */
  readonly pause?: () => Promise<boolean>;
  /** After how many writes the reader of standard output is gone. */
  readonly takes?: number;
}

/** A few files. */
export const FILES: FsPort = memoryFs({
  "/ws/a.txt": "one\ntwo\r\nthree",
  "/ws/ten.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
  "/ws/empty": "",
  "/ws/nul.bin": "a\0b",
  "/ws/latin": Uint8Array.of(0x61, 0xe9, 0x0a),
  "/ws/bell.txt": "\x1b[31mred\x07\u009b\x7f\u202e\tend\n",
  "/ws/odd:7": "a colon in its name\n",
  "/ws/-x": "a dash\n",
  "/ws/it's": "one\ntwo\n",
  "/ws/code.py":
    "# above\ndef f():\n    if x:\n        y()\n    z()\n\ng()\nh()\n",
  "/ws/forge.toml": "[tools.read_file]\nmax_file_read_bytes = 4\n",
  "/ws/broken.toml": "[tools.read_file\n",
  "/else/b.txt": "elsewhere\n",
});

/** Runs a command line in `/ws`. */
export async function run(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Said> {
  const { isTerminal = false, styles = false, fs = FILES } = options;
  const { takes = Infinity, patienceMs = 60_000 } = options;
  const { input = new Uint8Array(), pause = () => Promise.resolve(false) } =
    options;
  const parts = { output: [] as string[], errors: [] as string[] };
  const outlet = (name: keyof typeof parts, most: number): Outlet => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return {
      isTerminal,
      // deno-lint-ignore require-await
      async write(part) {
        if (parts[name].length >= most) throw new BrokenPipeError("enough");
        const text = typeof part === "string"
          ? part
          : decoder.decode(part, { stream: true });
        parts[name].push(text);
      },
    };
  };
  const placed = args.some((word) =>
    /^--(workspace|definitions|completion)/.test(word)
  );
  const code = await runCommand({
    args: placed ? args : ["--workspace=/ws", ...args],
    output: outlet("output", takes),
    errors: outlet("errors", Infinity),
    styles,
    fs,
    patienceMs,
    version: () => Promise.resolve("name 1.2.3"),
    readInput: () => Promise.resolve(input),
    pause: () => pause(),
  });
  return { output: parts.output.join(""), errors: parts.errors.join(""), code };
}
