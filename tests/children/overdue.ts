// Runs a shell that starts other processes, until its time limit. The output ends once all of them have ended.
import { runGroup } from "../gate/group.ts";

const script = "sleep 600 & sh -c 'sleep 600; true'; wait";
const { code, isOverdue } = await runGroup("sh", ["-c", script], {}, 300);
const { stdout } = await runGroup("sh", ["-c", "sleep 600 & echo ok"], {}, 2e5);
console.log(JSON.stringify({ code, isOverdue, stdout }));
