import { memoryFs } from "@agent-tools/read-file";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** Simulates a repository on a disk: one commit with `src/add.ts`, and a working tree with other `files`. */
export function memoryRepository(
  root: string,
  files: Readonly<Record<string, string>>,
) {
  const stored: Record<string, string | Uint8Array> = {};
  /** Stores an object; returns its hash. */
  const store = (type: string, content: Uint8Array): string => {
    const bytes = Buffer.concat([
      Buffer.from(`${type} ${content.length}\0`),
      content,
    ]);
    const hash = createHash("sha1").update(bytes).digest("hex");
    const path = `objects/${hash.slice(0, 2)}/${hash.slice(2)}`;
    stored[path] = new Uint8Array(deflateSync(bytes));
    return hash;
  };
  const entry = (name: string, hash: string) =>
    Buffer.concat([Buffer.from(`${name}\0`), Buffer.from(hash, "hex")]);
  const text = "export function add(a, b) {\n  return a + b;\n}\n";
  const src = entry("100644 add.ts", store("blob", Buffer.from(text)));
  const tree = store("tree", entry("40000 src", store("tree", src)));
  const who = "A <a@example.org> 1700000000 +0000";
  const commit = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nAdd.\n`;
  stored["refs/heads/main"] = `${store("commit", Buffer.from(commit))}\n`;
  stored["HEAD"] = "ref: refs/heads/main\n";
  const git = Object.entries(stored)
    .map(([path, content]) => [`${root}/.git/${path}`, content]);
  const saved = Object.entries(files)
    .map(([path, content]) => [`${root}/${path}`, content]);
  return memoryFs(Object.fromEntries([...git, ...saved]));
}
