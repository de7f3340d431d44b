// A worker that serves lines of the files in an R2 bucket, by Hono.
import {
  callTool,
  createOpenFile,
  openWorkspace,
  type R2BucketLike,
  r2Fs,
} from "@agent-tools/read-file";
import { Hono } from "hono";
import { bucketOf } from "./bucket.ts";

const app = new Hono<{ Bindings: { readonly FILES: R2BucketLike } }>();

app.get("/files/*", async (context) => {
  // A workspace for each request: in a shared one, a cancelled request would never free
  // its place among the open files.
  const fs = r2Fs(context.env.FILES);
  const workspace = await openWorkspace("/public", { fs });
  const { output, error } = await callTool(createOpenFile(workspace), {
    file_path: decodeURIComponent(context.req.path.slice("/files/".length)),
    start_line: context.req.query("from"),
    end_line: context.req.query("to"),
  }, { lenient: true, signal: context.req.raw.signal });
  if (error === undefined) return context.text(output);
  // A failure of the bucket is not a missing file.
  const status = error.code === "IO" ? 502 : 404;
  return context.json({ code: error.code, message: error.message }, status);
});

// In a worker: `export default app`. Here, three requests are simulated.
const FILES = bucketOf({
  "public/app.log": "one\ntwo\nthree\n",
  "private/key.pem": "KEY",
});
for (
  const path of [
    "app.log?from=2&to=3",
    "app.txt",
    "%2e%2e%2fprivate/key.pem",
  ]
) {
  const response = await app.request(`/files/${path}`, {}, { FILES });
  console.log(`${response.status} ${path}\n${await response.text()}`);
}
