import process from "node:process";

/** Lets Deno make its pipe for signals, which it makes late; it panics if no file can be opened then. */
export function makeSignalPipe(): void {
  const listener = () => {};
  process.on("SIGUSR2", listener);
  process.off("SIGUSR2", listener);
}
