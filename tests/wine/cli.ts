/** The command line, as a program of its own. */
import { main } from "../../src/cli/main.ts";

await main();
