// The program of the package for npm. Node 20 has no `import.meta.main`, so this module always runs `main()`.
import process from "node:process";
import {
  hostFs,
  openWorkspace,
  ReadFileError,
  visibleJson,
} from "@agent-tools/read-file";
import { main } from "../src/main.ts";
import { KEY } from "./library.ts";

/** Loads a file that pack.ts puts beside this one. An import with a literal name would be bundled. */
const load = (name: string) => import(new URL(name, import.meta.url).href);

/** What git.js uses of the library. */
const shared = { hostFs, openWorkspace, ReadFileError, visibleJson };

Object.assign(globalThis, { [KEY]: shared });

process.exitCode = await main(
  process.argv.slice(2),
  (): Promise<typeof import("../../pdf/mod.ts")> => load("pdf.js"),
  (): Promise<typeof import("../../detect/mod.ts")> => load("detect.js"),
  (): Promise<typeof import("../../git/mod.ts")> => load("git.js"),
);
