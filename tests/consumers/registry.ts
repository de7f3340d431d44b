/** A package registry on the loopback: JSR's format for Deno, and npm's for everyone else. */

/** One version of a package. */
export interface Release {
  /** `@scope/name`. */
  readonly name: string;
  readonly version: string;
  /** The file behind each entry, as `deno.json` has them. */
  readonly exports: Readonly<Record<string, string>>;
  /** What it holds, by path from its folder, without a leading slash. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** The same as JSR's npm layer gives it away. */
  readonly npm?: {
    readonly manifest: object;
    readonly tarball: Uint8Array<ArrayBuffer>;
  };
}

/** A registry that listens. */
export interface Registry extends AsyncDisposable {
  /** Its address, with a slash at the end. */
  readonly url: string;
  /** Offers one version of a package. */
  add(release: Release): void;
  /** Every path it was asked for that it does not have. */
  readonly missed: readonly string[];
}

/** What `deno publish` sends: the archive, and where its `deno.json` lies. */
type Receive = (archive: Uint8Array<ArrayBuffer>) => Promise<Release>;

/** Below here, the same is served with one file changed after it was released. */
const TAMPERED = /^\/tampered\//;

const NOT_PUBLISHED = { code: "packageVersionNotFound", message: "Not there." };

/** Opens a registry; `receive` reads what is published to it. */
export function openRegistry(receive: Receive): Registry {
  const releases = new Map<string, Release>();
  const missed: string[] = [];
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
  }, async (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    const publishes = /^\/api\/scopes\/[^/]+\/packages\/[^/]+(\/versions\/)?/
      .exec(path);
    if (publishes !== null) {
      if (request.method === "POST") {
        const release = await receive(await request.bytes());
        releases.set(release.name, release);
        return Response.json({ id: "1", status: "success", error: null });
      }
      return publishes[1] === undefined
        ? Response.json({})
        : Response.json(NOT_PUBLISHED, { status: 404 });
    }
    const asked = path.replace(TAMPERED, "/");
    const answer = await answerOf(releases, asked, url);
    if (asked !== path && asked.endsWith("/mod.ts")) {
      return new Response(`${await answer?.text()}// Not as it was.\n`, answer);
    }
    if (answer === undefined) missed.push(path);
    return answer ?? new Response("Not there.", { status: 404 });
  });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  return {
    url,
    missed,
    add: (release) => void releases.set(release.name, release),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function answerOf(
  releases: ReadonlyMap<string, Release>,
  path: string,
  url: string,
): Promise<Response | undefined> {
  const [, scope, name, rest] = /^\/(@[^/]+)\/([^/]+)(?:\/(.+))?$/.exec(path) ??
    [];
  if (scope === "@jsr") {
    const release = releases.get(`@${name?.replace("__", "/")}`);
    return release && await npmAnswer(release, rest, url);
  }
  const release = releases.get(`${scope}/${name}`);
  return release && await jsrAnswer(release, rest);
}

/** `meta.json`, `<version>_meta.json`, and the files. */
async function jsrAnswer(
  { name, version, exports, files }: Release,
  rest: string | undefined,
): Promise<Response | undefined> {
  if (rest === "meta.json") {
    const [scope, short] = name.slice(1).split("/");
    const versions = { [version]: {} };
    return Response.json({ scope, name: short, latest: version, versions });
  }
  if (rest === `${version}_meta.json`) {
    const manifest: Record<string, object> = {};
    for (const [path, bytes] of files) {
      const checksum = `sha256-${await hashOf(bytes, "SHA-256", "hex")}`;
      manifest[`/${path}`] = { size: bytes.length, checksum };
    }
    return Response.json({ manifest, exports });
  }
  const path = rest?.replace(`${version}/`, "") ?? "";
  const bytes = files.get(path);
  if (bytes === undefined) return undefined;
  const type = /\.[cm]?js$/.test(path)
    ? "text/javascript"
    : path.endsWith(".ts")
    ? "application/typescript"
    : "text/plain";
  return new Response(bytes, { headers: { "content-type": type } });
}

/** The packument, and the archive. */
async function npmAnswer(
  { name, version, npm }: Release,
  rest: string | undefined,
  url: string,
): Promise<Response | undefined> {
  if (npm === undefined) return undefined;
  if (rest === `${version}.tgz`) return new Response(npm.tarball);
  if (rest !== undefined) return undefined;
  const npmName = npmNameOf(name);
  const dist = {
    tarball: `${url}${npmName}/${version}.tgz`,
    integrity: `sha512-${await hashOf(npm.tarball, "SHA-512", "base64")}`,
  };
  return Response.json({
    name: npmName,
    "dist-tags": { latest: version },
    versions: { [version]: { ...npm.manifest, dist } },
  });
}

/** What JSR calls a package towards npm. */
export function npmNameOf(name: string): string {
  return `@jsr/${name.slice(1).replace("/", "__")}`;
}

async function hashOf(
  bytes: Uint8Array<ArrayBuffer>,
  algorithm: string,
  spelling: "hex" | "base64",
): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
  return spelling === "hex" ? hash.toHex() : hash.toBase64();
}
