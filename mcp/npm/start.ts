// The program of the package for npm. Node.js has the same disk as Bun.
import process from "node:process";
import { bunFs } from "@agent-tools/read-file";
import { main } from "../src/main.ts";

process.exitCode = await main(process.argv.slice(2), bunFs());
