/**
 * An MCP server that reads files: pages with line numbers, never from outside
 * the directories it was started with, never cut without saying so.
 *
 * ```sh
 * deno run --no-config --no-lock --node-modules-dir=none \
 *   --allow-read=. jsr:@agent-tools/read-file-mcp@0.2.0 .
 * ```
 *
 * It speaks over standard input and output. `--help` says what it takes.
 *
 * @module
 */
import process from "node:process";
import { main } from "./src/main.ts";

export { main };

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
