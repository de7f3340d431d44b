/** A headless Chromium, controlled through its DevTools protocol. */
type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}

/** A page of the browser. */
export class BrowserPage implements AsyncDisposable {
  /** The errors in the page. */
  readonly faults: string[] = [];
  readonly #program: Deno.ChildProcess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #session: string | undefined;
  #count = 0;

  private constructor(
    program: Deno.ChildProcess,
    folder: string,
    socket: WebSocket,
  ) {
    this.#program = program;
    this.#folder = folder;
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
  }

  /** Starts the browser with an empty page. */
  static async start(): Promise<BrowserPage> {
    const folder = await Deno.makeTempDir();
    const program = new Deno.Command("chromium", {
      args: [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--remote-debugging-port=0",
        `--user-data-dir=${folder}`,
        "about:blank",
      ],
      stderr: "piped",
      stdout: "null",
    }).spawn();
    const socket = new WebSocket(await addressIn(program.stderr));
    await new Promise((done) => socket.onopen = done);
    const page = new BrowserPage(program, folder, socket);
    const { targetId } = await page.send("Target.createTarget", {
      url: "about:blank",
    });
    const { sessionId } = await page.send("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    page.#session = String(sessionId);
    for (const domain of ["Page", "Runtime", "Log", "DOM"]) {
      await page.send(`${domain}.enable`, {});
    }
    return page;
  }

  /** Sends a command, and returns its result. */
  async send(method: string, params: Params): Promise<Params> {
    const id = ++this.#count;
    const answer = new Promise<Message>((done) => this.#waiting.set(id, done));
    const sessionId = this.#session;
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /** Evaluates an expression, and awaits its value. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) {
      throw new Error(JSON.stringify(exceptionDetails));
    }
    return Object(result).value;
  }

  /** Waits until an expression is true. */
  async until(expression: string): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      if (await this.evaluate(expression) === true) return;
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error(`Timed out waiting for ${expression}`);
  }

  /** Presses a key, with modifiers: 1 is Alt, 2 Ctrl, 8 Shift. */
  async press(key: string, modifiers = 0): Promise<void> {
    const codes: Readonly<Record<string, number>> = {
      Tab: 9,
      Enter: 13,
      " ": 32,
      ArrowDown: 40,
    };
    const rest = {
      key,
      code: key === " " ? "Space" : key,
      modifiers,
      windowsVirtualKeyCode: codes[key],
    };
    const text = key === "Enter" ? "\r" : key === " " ? " " : undefined;
    await this.send("Input.dispatchKeyEvent", {
      type: text === undefined ? "rawKeyDown" : "keyDown",
      ...rest,
      ...text !== undefined && { text },
    });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...rest });
  }

  /** Types a text into the focused element. */
  async type(text: string): Promise<void> {
    await this.send("Input.insertText", { text });
  }

  /** Selects files for an input element. */
  async choose(selector: string, files: readonly string[]): Promise<void> {
    const { root } = await this.send("DOM.getDocument", {});
    const { nodeId } = await this.send("DOM.querySelector", {
      nodeId: Object(root).nodeId,
      selector,
    });
    await this.send("DOM.setFileInputFiles", { nodeId, files });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    this.#program.kill("SIGKILL");
    await this.#program.status;
    await Deno.remove(this.#folder, { recursive: true });
  }

  #take({ id, method, params, ...answer }: Message): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    } else if (method === "Runtime.exceptionThrown") {
      this.faults.push(JSON.stringify(params));
    } else if (method === "Log.entryAdded") {
      const { level, text } = Object(params?.entry);
      if (level === "error") this.faults.push(String(text));
    }
  }
}

/** The address of the browser, from its standard error. */
function addressIn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  return new Promise((found, fail) => {
    let told = "";
    const sink = new WritableStream<string>({
      write(text) {
        told += text;
        const [, address] = /DevTools listening on (ws:\S+)/.exec(told) ?? [];
        if (address !== undefined) found(address);
      },
      close: () => fail(new Error(`Chromium does not start: ${told}`)),
    });
    stderr.pipeThrough(new TextDecoderStream() as never).pipeTo(sink)
      .catch(fail);
  });
}
