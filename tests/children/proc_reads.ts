// Reads files of /proc, and prints the results. In Deno, this requires all permissions.
import { bunFs, denoFs, openWorkspace } from "../../mod.ts";

for (const nonBlocking of [false, true]) {
  const options = { nonBlocking };
  const fs = "Bun" in globalThis ? bunFs(options) : denoFs(options);
  const workspace = await openWorkspace("/proc", { fs });
  const { text } = await workspace.read("version");
  const { size, lines } = await workspace.read("cpuinfo", { count: 2 });
  console.log(JSON.stringify({ text, size, lines: lines.length }));
}
