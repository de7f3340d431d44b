import { describe, it } from "node:test";
import { openWorkspace } from "../mod.ts";
import { checkWalk } from "./support/page_checks.ts";
import { oneFileFs } from "./support/one_file_fs.ts";
const A = [0x61,0x20,0x0a,0x0d,0xc3,0xa9,0xff,0];
describe("raw", () => { it("y", async () => {
  const fs = oneFileFs();
  const workspace = await openWorkspace("/ws", { fs });
  for (let r = 0; r<4; r++) { const t = performance.now();
  for (let i=0;i<30000;i++) { fs.content = new Uint8Array([97,10,i&255,10,98]); await workspace.read("a", {count:1}); }
  console.log("raw us/read", (performance.now()-t)/30);}
});});
describe("probe", () => { it("x", async () => {
  const fs = oneFileFs();
  const workspace = await openWorkspace("/ws", { fs });
  let walks = 0, pages = 0; const t = performance.now();
  for (const options of [{count:1},{maxBytes:1},{width:2}, {}]) {
    for (let n = 0; n < 8**5; n += 3) {
      const file = new Uint8Array(5);
      for (let i = 0, v = n; i < 5; i++, v >>= 3) file[i] = A[v & 7]!;
      fs.content = file;
      pages += (await checkWalk({workspace, path: "a", file, options})).length; walks++;
    }
    const ms = performance.now()-t; console.log(JSON.stringify(options), walks, pages, ms|0, (ms*1000/pages).toFixed(1)+"us/page");
  }
});});
