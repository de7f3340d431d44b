// Runs shells that start other processes: one prints nothing, one goes on printing, one exits. The output ends once all of their processes have ended.
import { runGroup } from "../gate/group.ts";

const SILENT = "echo before; sleep 600 & sh -c 'sleep 600; true'; wait";
/** Prints for longer than a silent program may live. */
const PRINTING = "for line in $(seq 30); do sleep 0.1; echo $line; done";
const EXITING = "sleep 600 & echo ok";

const run = (script: string, looks: number) =>
  runGroup("sh", ["-c", script], {}, { everyMs: 100, looks });

const silent = await run(SILENT, 10);
const printing = await run(PRINTING, 20);
const exiting = await run(EXITING, 6000);
console.log(JSON.stringify({ silent, printing, exiting }));
