// Reads files, changes them, and prints the outcomes of second reads.
import { execFileSync } from "node:child_process";
import process from "node:process";
import { bunFs, denoFs, openWorkspace, ReadFileError } from "../../mod.ts";
import {
  type Case,
  CASES,
  type Order,
  type Told,
} from "../support/moved_cases.ts";
import { WRAPPINGS } from "../support/wrappings.ts";

const orders: readonly Order[] = JSON.parse(process.argv[2]!);
for (const order of orders) console.log(JSON.stringify(await attack(order)));
// Exit, since an open handle would keep the process alive.
process.exit();

async function attack(order: Order): Promise<Told> {
  const { name, wrapping, nonBlocking, base } = order;
  const { words, deny = [], narrow = ".", path }: Case = CASES[name];
  const port = "Bun" in globalThis ? bunFs : denoFs;
  const bare = { fs: port({ nonBlocking }), base, root: `${base}/ws` };
  const { fs, root } = WRAPPINGS[wrapping](bare);
  const whole = await openWorkspace(root, { fs, deny });
  const workspace = await whole.narrow({ root: narrow });
  const read = async () => {
    try {
      await using file = await workspace.open(path);
      const buffer = new Uint8Array(64);
      const length = await file.read(buffer, 0);
      return new TextDecoder().decode(buffer.subarray(0, length));
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      return error.code;
    }
  };
  const before = [await read(), await read()];
  execFileSync("sh", ["-ec", words], { cwd: base });
  return { order, before, after: [await read(), await read()] };
}
