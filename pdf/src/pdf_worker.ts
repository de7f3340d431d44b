import { type PdfAnswer, type PdfRequest, pdfText } from "./pdf_text.ts";

/** Why a worker gave no answer: it did not start, so that the work may be done here; it was stopped; or it failed. */
export type WorkerFailure = "no worker" | "late" | "out of memory" | "failed";

/** How much memory a worker may take in Node.js, without the bytes of the document: the other runtimes have no such limit. */
export const MAX_WORKER_MIB = 512;

/** The library, as the package names it. */
export const PDF_LIBRARY = "npm:unpdf@^1.8.1";

/** What a worker sends: that it has loaded PDF.js, or an answer. */
type Message = "ready" | { readonly answer: PdfAnswer };

/** A worker of any runtime. */
interface Party {
  post(message: unknown, moved: readonly ArrayBuffer[]): void;
  end(): unknown;
}

/** What a worker reports. */
interface Reports {
  message(message: Message): void;
  error(failure: WorkerFailure): void;
}

/** Runs `pdfText` in a worker, until the time is over. */
export function textInWorker(
  data: Uint8Array<ArrayBuffer>,
  request: PdfRequest,
  { ms, signal }: {
    readonly ms: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<PdfAnswer | WorkerFailure> {
  // Node.js 20 lacks `Promise.withResolvers()`.
  let resolve: (answer: PdfAnswer | WorkerFailure) => void = () => {};
  const answered = new Promise<PdfAnswer | WorkerFailure>((settle) => {
    resolve = settle;
  });
  let party: Party | undefined;
  let isReady = false;
  const reports: Reports = {
    message(message) {
      if (message !== "ready") return resolve(message.answer);
      isReady = true;
      // Moved, not copied.
      party?.post({ data, request }, [data.buffer]);
    },
    error: (failure) => resolve(isReady ? failure : "no worker"),
  };
  const timer = setTimeout(() => resolve("late"), ms);
  const abort = () => resolve("failed");
  signal?.addEventListener("abort", abort);
  try {
    party = start(reports);
  } catch {
    // A host may forbid workers.
  }
  if (party === undefined) resolve("no worker");
  return answered.finally(async () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    await party?.end();
  });
}

/** The program of the worker: text, since a file of this package may be out of reach. Deno needs a permission to load one, and a bundle has none. */
function programOf(libraries: readonly string[], port: string): string {
  return `
const read = (${pdfText.toString()});
${port}
let loading = Promise.reject();
for (const library of ${JSON.stringify(libraries)}) {
  loading = loading.catch(() => import(library)).then((library) => {
    if (library.getResolvedPDFJS === undefined) throw library;
    return library;
  });
}
loading.then((library) => {
  listen(async ({ data, request }) => {
    send({ answer: await read(library, data, request, (work) => work) });
  });
  send("ready");
});
`;
}

/** Starts a worker; `undefined` where there are none. */
function start(reports: Reports): Party | undefined {
  const isDeno = "Deno" in globalThis;
  return isDeno || "Bun" in globalThis
    ? startWeb(libraries(isDeno), reports)
    : startInNode(libraries(false), reports);
}

/** Where unpdf may be: in the server's package for npm, the bundle of this package has it. Deno's packages name it as their imports do, which needs no permission. */
function libraries(isDeno: boolean): readonly string[] {
  const first = isDeno
    ? PDF_LIBRARY
    : new URL("./pdf.js", import.meta.url).href;
  try {
    return [first, import.meta.resolve("unpdf")];
  } catch {
    return [first];
  }
}

function startWeb(libraries: readonly string[], reports: Reports): Party {
  const port = `
const send = (message) => self.postMessage(message);
const listen = (take) => self.onmessage = (event) => take(event.data);`;
  const type = "text/javascript";
  const url = URL.createObjectURL(
    new Blob([programOf(libraries, port)], { type }),
  );
  const worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => reports.message(data);
  worker.onerror = (event) => {
    // Otherwise the process ends.
    event.preventDefault();
    reports.error("failed");
  };
  return {
    post: (message, moved) => worker.postMessage(message, [...moved]),
    end() {
      worker.terminate();
      URL.revokeObjectURL(url);
    },
  };
}

/** The used part of `node:worker_threads`. */
interface WorkerThreads {
  readonly Worker: new (
    program: string,
    options: Readonly<Record<string, unknown>>,
  ) => {
    on(event: string, listener: (value: never) => void): unknown;
    postMessage(message: unknown, moved: readonly ArrayBuffer[]): void;
    terminate(): Promise<number>;
  };
}

interface NodeHost {
  readonly process?: {
    getBuiltinModule?(name: string): WorkerThreads | undefined;
  };
}

function startInNode(
  libraries: readonly string[],
  reports: Reports,
): Party | undefined {
  const { process } = globalThis as NodeHost;
  const threads = process?.getBuiltinModule?.("node:worker_threads");
  if (threads === undefined) return undefined;
  const port = `
const { parentPort } = require("node:worker_threads");
const send = (message) => parentPort.postMessage(message);
const listen = (take) => parentPort.on("message", take);`;
  const worker = new threads.Worker(programOf(libraries, port), {
    eval: true,
    env: {},
    execArgv: [],
    // Standard output may belong to a protocol.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MIB },
  });
  worker.on("message", (message) => reports.message(message));
  worker.on("error", ({ code }: { readonly code?: string }) => {
    const isMemory = code === "ERR_WORKER_OUT_OF_MEMORY";
    reports.error(isMemory ? "out of memory" : "failed");
  });
  worker.on("exit", () => reports.error("failed"));
  return {
    post: (message, moved) => worker.postMessage(message, moved),
    end: () => worker.terminate(),
  };
}
