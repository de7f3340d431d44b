// The program of the package for npm. Node 20 does not tell which module was started, so this one always runs.
import process from "node:process";
import { main } from "../src/main.ts";

// Named here, so that both are parts of the package, which loads them only when they are needed.
const load = () => import("../../pdf/mod.ts");
const loadDetector = () => import("../../detect/mod.ts");

process.exitCode = await main(process.argv.slice(2), load, loadDetector);
