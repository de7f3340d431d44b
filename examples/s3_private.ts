// The last lines of a log in a private S3 bucket, by a signing `fetch`.
import {
  createForgeRead,
  httpFs,
  openWorkspace,
  respond,
} from "@agent-tools/read-file";
import { type Credentials, signingFetch } from "./s3_sign.ts";
import { startStore } from "./s3_store.ts";

const credentials: Credentials = {
  region: "eu-central-1",
  accessKeyId: "AKIAEXAMPLE",
  secretAccessKey: "example",
};
// A store on the loopback, for `https://BUCKET.s3.REGION.amazonaws.com`.
const log = Array.from({ length: 50_000 }, (_, at) => `line ${at + 1}\n`);
await using store = await startStore(
  { "logs/app.log": log.join("") },
  credentials,
);

async function tellLastLines(credentials: Credentials): Promise<void> {
  const fs = httpFs(store.url, { fetch: signingFetch(credentials) });
  const tool = createForgeRead(await openWorkspace("/logs", { fs }));
  const { text } = await respond(tool, { path: "app.log", tail: 2 });
  console.log(text);
}

await tellLastLines(credentials);
await tellLastLines({ ...credentials, secretAccessKey: "another" });
