// The program of the package for npm. Node 20 does not tell which module was started, so this one always runs.
import process from "node:process";
import { main } from "../src/main.ts";

/** Loads a file that pack.ts puts beside this one; a literal would be bundled. */
const load = (name: string) => import(new URL(name, import.meta.url).href);

process.exitCode = await main(
  process.argv.slice(2),
  (): Promise<typeof import("../../pdf/mod.ts")> => load("pdf.js"),
  (): Promise<typeof import("../../detect/mod.ts")> => load("detect.js"),
);
