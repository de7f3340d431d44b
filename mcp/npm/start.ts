// The program of the package for npm. Node 20 does not tell which module was started, so this one always runs.
import process from "node:process";
import { main } from "../src/main.ts";

// Named here, so that the view is a part of the package, which loads it only with --pdf.
const load = () => import("../../pdf/mod.ts");

process.exitCode = await main(process.argv.slice(2), load);
