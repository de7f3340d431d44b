// The command line of the library's package for npm.
import { main } from "../src/cli/main.ts";

await main();
