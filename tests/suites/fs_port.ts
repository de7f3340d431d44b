/** The suite for ports, as tests of `node:test`. */
import { describe, it } from "node:test";
import {
  fsPortSuite as casesOf,
  type PortSuiteOptions,
  type PortTree,
} from "../../testing/mod.ts";
import type { LayOut } from "../support/layout.ts";

/** Runs the suite on the ports that `layOut` makes. */
export function fsPortSuite(
  name: string,
  layOut: LayOut,
  options: PortSuiteOptions = {},
): void {
  describe(name, () => {
    for (const port of casesOf((tree) => layOut(toLayout(tree)), options)) {
      it(port.name, port.run);
    }
  });
}

function toLayout(tree: PortTree): string[] {
  return Object.entries(tree).map(([path, entry]) => {
    if (typeof entry === "string") return `ws/${path}: ${entry}`;
    const { link } = entry;
    return `ws/${path} -> ${link.startsWith("/") ? "$/ws" : ""}${link}`;
  });
}
