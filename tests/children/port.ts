// Calls a disk port in a way that could hang or leak, and prints the answer.
import process from "node:process";
import { bunFs, denoFs } from "../../mod.ts";

const [question, options, path = ""] = process.argv.slice(2);
const fsOf = "Bun" in globalThis ? bunFs : denoFs;
const fs = fsOf({ nonBlocking: options === "nonBlocking" });

async function open(): Promise<string> {
  try {
    const handle = await fs.open(path);
    const { kind } = await handle.stat();
    await handle.close();
    return kind;
  } catch (error) {
    return String((error as { readonly code?: unknown }).code);
  }
}

if (question === "open") console.log(await open());
if (question === "openMany") {
  let opened = 0;
  while (opened < 1000 && await open() === "file") opened++;
  console.log(`${opened} opened`);
}
// A file that never opens would keep the process alive.
process.exit();
