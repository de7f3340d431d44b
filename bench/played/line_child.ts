// A process that is sent lines of JSON, and answers with lines.
import { type ChildProcess, spawn } from "node:child_process";

/** A child process; its standard error is not looked at. */
export class LineChild {
  readonly #process: ChildProcess;
  /** The pieces of a line that has not ended yet: it may have many megabytes. */
  #pieces: string[] = [];
  #take: ((line: string) => void) | undefined;

  constructor([command = "", ...args]: readonly string[]) {
    const stdio = ["pipe", "pipe", "ignore"] as const;
    this.#process = spawn(command, args, { stdio: [...stdio] });
    this.#process.stdout!.setEncoding("utf8");
    this.#process.stdout!.on("data", (text: string) => this.#read(text));
  }

  #read(text: string): void {
    const [first = "", ...others] = text.split("\n");
    this.#pieces.push(first);
    for (const piece of others) {
      this.#take?.(this.#pieces.join(""));
      this.#pieces = [piece];
    }
  }

  send(message: object): void {
    this.#process.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  /** Waits for the first line of which something can be taken; `undefined` if none comes in so many milliseconds. */
  async wait<Taken>(
    take: (line: string) => Taken | undefined,
    most: number,
  ): Promise<Taken | undefined> {
    let timer;
    try {
      return await new Promise<Taken | undefined>((done) => {
        timer = setTimeout(() => done(undefined), most);
        this.#take = (line) => {
          const taken = take(line);
          if (taken !== undefined) done(taken);
        };
      });
    } finally {
      clearTimeout(timer);
      this.#take = undefined;
    }
  }

  end(): void {
    this.#process.kill("SIGKILL");
  }
}
