// Runtime-agnostic.

/** Waits, but no longer than until `signal`; what comes too late is given to `discard`. */
export function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  discard?: (late: T) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason);
      promise.then(discard, () => {});
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    // The listener goes before the answer does, or one answer could go both ways.
    const stay = () => signal.removeEventListener("abort", leave);
    promise.then((value) => {
      stay();
      resolve(value);
    }, (error) => {
      stay();
      reject(error);
    });
  });
}

/** Waits so long, but no longer than until `signal`. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waking = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await (signal === undefined ? waking : untilAborted(waking, signal));
  } finally {
    clearTimeout(timer);
  }
}
