// Makes the attacks it is given, on the disk, and tells how each one ended.
import process from "node:process";
import { bunFs, denoFs, type FsPort } from "../../mod.ts";
import { attack } from "../suites/attacks.ts";
import { WRAPPINGS } from "../support/wrappings.ts";

/** What the child is asked for. */
export interface Orders {
  readonly port: keyof typeof PORTS;
  /** What the port is put into; nothing by default. */
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
  // Line by line: if one never ends, it is known which.
  console.log(JSON.stringify([id, await attack(target, input)]));
}
// Nothing that hangs on may pass for an end.
process.exit();
