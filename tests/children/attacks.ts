// Runs the attacks in its argument on the disk, and prints the outcomes.
import process from "node:process";
import { bunFs, denoFs, type FsPort } from "../../mod.ts";
import { attack } from "../suites/attacks.ts";
import { WRAPPINGS } from "../support/wrappings.ts";

/** The argument of the child. */
export interface Orders {
  readonly port: keyof typeof PORTS;
  /** The wrapper of the port, if any. */
  readonly wrapping?: keyof typeof WRAPPINGS;
  readonly attacks: readonly {
    readonly id: string;
    readonly base: string;
    readonly root: string;
    readonly input: unknown;
  }[];
}

const PORTS = {
  deno: () => denoFs(),
  denoNonBlocking: () => denoFs({ nonBlocking: true }),
  bun: () => bunFs(),
  bunNonBlocking: () => bunFs({ nonBlocking: true }),
} satisfies Record<string, () => FsPort>;

const orders: Orders = JSON.parse(process.argv[2]!);
const fs = PORTS[orders.port]();
const wrap = WRAPPINGS[orders.wrapping ?? "none"];
for (const { id, base, root, input } of orders.attacks) {
  const target = wrap({ fs, base, root });
  // One line per attack, so that a test knows which one hangs.
  console.log(JSON.stringify([id, await attack(target, input)]));
}
// Exit, since an open handle would keep the process alive.
process.exit();
