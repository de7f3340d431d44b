// Deno, Bun and Node.js: all offer `node:process`.
import process from "node:process";

/** Standard output. What is written waits here until the client takes it. */
export interface Output {
  /** How many bytes wait. */
  readonly waiting: number;
  write(text: string): void;
  /** Resolves when nothing waits, or nothing can be written any more. */
  flush(): Promise<void>;
}

/** The part of Deno's standard output that is used. */
interface DenoOutput {
  write(bytes: Uint8Array): Promise<number>;
}

/**
 * Opens standard output. `onTaken` is called when the client has taken bytes, and
 * `onError` when it takes no more: what waits is then dropped.
 */
export function openOutput(
  onTaken: () => void,
  onError: (error: Error) => void,
): Output {
  const put = putter(fail);
  let parts: Uint8Array[] = [];
  let waiting = 0;
  let isWriting = false;
  let isBroken = false;
  let onFlushed = () => {};

  async function writeOn(): Promise<void> {
    isWriting = true;
    while (parts.length > 0 && !isBroken) {
      const batch = joined(parts);
      parts = [];
      try {
        await put(batch);
      } catch (error) {
        fail(error as Error);
      }
      waiting -= batch.length;
      if (!isBroken) onTaken();
    }
    isWriting = false;
    onFlushed();
  }

  function fail(error: Error): void {
    if (isBroken) return;
    isBroken = true;
    parts = [];
    onError(error);
    onFlushed();
  }

  return {
    get waiting() {
      return waiting;
    },
    write(text) {
      if (isBroken) return;
      const bytes = encoder.encode(text);
      parts.push(bytes);
      waiting += bytes.length;
      if (!isWriting) void writeOn();
    },
    async flush() {
      if (!isWriting || isBroken) return;
      await new Promise<void>((resolve) => onFlushed = resolve);
    },
  };
}

const encoder = new TextEncoder();

/** Makes a function that writes bytes, and waits until the client has taken them. */
function putter(
  onError: (error: Error) => void,
): (bytes: Uint8Array) => Promise<void> {
  const { Deno } = globalThis as { Deno?: { readonly stdout: DenoOutput } };
  if (Deno !== undefined) {
    // There, `process.stdout` blocks the event loop until the client reads.
    return async (bytes) => {
      for (let at = 0; at < bytes.length;) {
        at += await Deno.stdout.write(bytes.subarray(at));
      }
    };
  }
  const { stdout } = process;
  stdout.on("error", onError);
  return (bytes) =>
    new Promise((resolve, reject) =>
      stdout.write(bytes, (error) => error ? reject(error) : resolve())
    );
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
