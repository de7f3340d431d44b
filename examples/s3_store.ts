/** A store on the loopback that answers like S3, only to signed requests. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { Credentials } from "./s3_sign.ts";

/** A store, which is closed at the end of the `using` block. */
export interface Store extends AsyncDisposable {
  /** The URL of the bucket. */
  readonly url: string;
}

/** Starts a store of objects, by their keys. */
export async function startStore(
  objects: Readonly<Record<string, string>>,
  credentials: Credentials,
): Promise<Store> {
  const server = createServer((request, response) => {
    const text = objects[request.url?.replace("/bucket/", "") ?? ""];
    if (!isSigned(request, credentials)) return response.writeHead(403).end();
    if (text === undefined) return response.writeHead(404).end();
    const bytes = new TextEncoder().encode(text);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(
      request.headers.range ?? "",
    ) ?? [];
    const part = bytes.slice(Number(from ?? 0), Number(to ?? bytes.length) + 1);
    const end = Number(from) + part.length - 1;
    response.writeHead(from === undefined ? 200 : 206, {
      "content-length": part.length,
      "etag": `"${createHash("md5").update(bytes).digest("hex")}"`,
      "last-modified": new Date(0).toUTCString(),
      ...from !== undefined &&
        { "content-range": `bytes ${from}-${end}/${bytes.length}` },
    });
    response.end(request.method === "HEAD" ? undefined : part);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/bucket`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Whether a request has the signature that S3 expects. */
function isSigned(
  { method, url, headers }: IncomingMessage,
  { secretAccessKey, accessKeyId }: Credentials,
): boolean {
  const [, key, scope, names, given] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w{64})$/
      .exec(headers.authorization ?? "") ?? [];
  if (key !== accessKeyId || given === undefined) return false;
  const lines = names!.split(";").map((name) => `${name}:${headers[name]}\n`);
  const canonical = `${method}\n${url}\n\n${lines.join("")}\n${names}\n` +
    headers["x-amz-content-sha256"];
  const digest = createHash("sha256").update(canonical).digest("hex");
  const text = `AWS4-HMAC-SHA256\n${
    headers["x-amz-date"]
  }\n${scope}\n${digest}`;
  const secret = scope!.split("/").reduce<string | Uint8Array>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const wanted = createHmac("sha256", secret).update(text).digest("hex");
  const encoder = new TextEncoder();
  return timingSafeEqual(encoder.encode(wanted), encoder.encode(given));
}
