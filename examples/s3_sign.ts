/** The credentials for requests to S3. */
export interface Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const encoder = new TextEncoder();

/** A `fetch` that signs requests for S3: Signature Version 4. */
export function signingFetch(credentials: Credentials): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    await sign(request, credentials);
    return await fetch(request);
  };
}

async function sign(
  { method, url, headers }: Request,
  { region, accessKeyId, secretAccessKey }: Credentials,
): Promise<void> {
  const { host, pathname, searchParams } = new URL(url);
  const time = new Date().toISOString().replace(/[:-]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  headers.set("x-amz-date", time);
  headers.set("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
  const signed = [
    ["host", host],
    ["x-amz-content-sha256", "UNSIGNED-PAYLOAD"],
    ["x-amz-date", time],
  ];
  const names = signed.map(([name]) => name).join(";");
  searchParams.sort();
  const canonical = [
    method,
    pathname,
    searchParams.toString().replaceAll("+", "%20"),
    ...signed.map((pair) => pair.join(":")),
    "",
    names,
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const digest = await crypto.subtle.digest(
    "SHA-256",
    encoder.encode(canonical),
  );
  const text = ["AWS4-HMAC-SHA256", time, scope, hex(digest)].join("\n");
  let key: ArrayBuffer = encoder.encode(`AWS4${secretAccessKey}`).buffer;
  for (const part of [...scope.split("/"), text]) key = await mac(key, part);
  headers.set(
    "authorization",
    `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, ` +
      `SignedHeaders=${names}, Signature=${hex(key)}`,
  );
}

async function mac(secret: ArrayBuffer, text: string): Promise<ArrayBuffer> {
  const kind = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, kind, false, [
    "sign",
  ]);
  return await crypto.subtle.sign("HMAC", key, encoder.encode(text));
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(
    new Uint8Array(bytes),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}
