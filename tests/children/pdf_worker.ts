// Reads a PDF document, and prints its text and how many workers answered. With "none", there are no workers.
import { openWorkspace } from "../../mod.ts";
import { pdfView } from "../../pdf/mod.ts";
import process from "node:process";

const [root = "", workers] = process.argv.slice(2);
const host = globalThis as { Worker?: typeof Worker };
const Native = host.Worker!;
let answers = 0;
class Counted extends Native {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    this.addEventListener("message", ({ data }) => {
      if (data !== "ready") answers++;
    });
  }
}
if (workers === "none") delete host.Worker;
else host.Worker = Counted;
const workspace = await openWorkspace(root, { views: [pdfView()] });
const { lines } = await workspace.read("a.pdf");
console.log(JSON.stringify([lines.at(-1)?.text, answers]));
