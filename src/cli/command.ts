// Runtime-agnostic.
import { ReadFileError } from "../core/errors.ts";
import type { FsPort } from "../core/port.ts";
import { readFile } from "../core/read.ts";
import type { TextWindow } from "../core/lines/window.ts";
import { openWorkspace } from "../host.ts";
import { readRequest, type Request, UsageError } from "./request.ts";

/** What the command line needs of the program it runs in. */
export interface Shell {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** Whether a person looks at the output. */
  readonly isTerminal: boolean;
  /** The file system; the runtime's own disk if there is none. */
  readonly fs?: FsPort;
  /** Writes to standard output. */
  print(output: string | Uint8Array): void;
  /** Writes to standard error. */
  complain(message: string): void;
}

const USAGE = `Usage: read [--workspace DIR] PATH[:START[-END]]

Prints the lines START to END of a file, or all of it. The path is taken from
the current directory, or from DIR, and cannot lead out of it.

  PATH          the whole file
  PATH:120      line 120
  PATH:120-150  lines 120 to 150

A name that itself ends like a range needs one: odd:7:1-99.
`;

/** Runs the command line: 0 if all went well, 1 if the file cannot be read, 2 for bad usage. */
export async function runCommand(shell: Shell): Promise<0 | 1 | 2> {
  try {
    const request = readRequest(shell.args);
    if (request === "help") shell.print(USAGE);
    else show(await readLines(request, shell), shell);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      shell.complain(`${error.message}\n\n${USAGE}`);
      return 2;
    }
    if (!(error instanceof ReadFileError)) throw error;
    shell.complain(`${error.message}\n`);
    return 1;
  }
}

async function readLines(
  { workspace: root, path, start, end }: Request,
  { fs }: Shell,
): Promise<TextWindow> {
  const workspace = await openWorkspace(root, fs === undefined ? {} : { fs });
  const policy = { binary: "reject-nul" } as const;
  if (start === undefined) {
    return await readFile(workspace, path, { kind: "all" }, policy);
  }
  const count = end === undefined ? 1 : end - start + 1;
  const selection = { kind: "lines", start, count } as const;
  const window = await readFile(workspace, path, selection, policy);
  if (window.lineCount > 0) return window;
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, {
    start,
    end: end ?? start,
    totalLines: window.totalLines!,
  });
}

/** A person gets numbers and no surprises; a pipe gets the very bytes. */
function show(window: TextWindow, shell: Shell): void {
  if (!shell.isTerminal) return shell.print(window.bytes);
  const last = String((window.start ?? 1) + window.lineCount - 1);
  const lines = window.lines.map(({ number, text }) =>
    `${String(number).padStart(last.length)}  ${withoutControls(text)}\n`
  );
  shell.print(lines.join(""));
}

/** Makes control characters visible: a file must not steer the terminal. */
function withoutControls(text: string): string {
  // deno-lint-ignore no-control-regex -- they are what is looked for
  return text.replace(/[\0-\x08\x0a-\x1f\x7f-\x9f]/g, (control) => {
    const code = control.charCodeAt(0);
    // Unicode has a picture for each of the older ones.
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\\u{${code.toString(16)}}`;
  });
}
