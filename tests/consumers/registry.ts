/** A package registry on the loopback: JSR's format for Deno, npm's format for all others. */

/** One version of a package. */
export interface Release {
  /** The name, as `@scope/name`. */
  readonly name: string;
  readonly version: string;
  /** The file of each entry point, from `deno.json`. */
  readonly exports: Readonly<Record<string, string>>;
  /** Its files, by path in its folder, without a leading slash. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** Its archive, as JSR's npm layer serves it. */
  readonly npm?: Parcel;
}

/** One version of an npm package. */
export interface Parcel {
  /** Its `package.json`. */
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Uint8Array<ArrayBuffer>;
}

/** A running registry. */
export interface Registry extends AsyncDisposable {
  /** Its URL, with a trailing slash. */
  readonly url: string;
  /** Adds one version of a package. */
  add(release: Release): void;
  /** Adds one version of an npm package. */
  addNpm(parcel: Parcel): void;
  /** The requested paths that do not exist. */
  readonly missed: readonly string[];
}

/** A request of `deno publish`: the archive, and the path of its `deno.json`. */
type Receive = (archive: Uint8Array<ArrayBuffer>) => Promise<Release>;

/** Below this path, one file is served with a change. */
const TAMPERED = /^\/tampered\//;

const NOT_PUBLISHED = { code: "packageVersionNotFound", message: "Not there." };

/** Opens a registry; `receive` handles published packages. */
export function openRegistry(receive: Receive): Registry {
  const releases = new Map<string, Release>();
  const parcels = new Map<string, Parcel>();
  const missed: string[] = [];
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
  }, async (request): Promise<Response> => {
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
    const answer = await jsrAnswer(releases, asked) ??
      await npmAnswer(parcels, asked, url);
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
    add: (release) => {
      releases.set(release.name, release);
      if (release.npm) parcels.set(release.npm.manifest.name, release.npm);
    },
    addNpm: (parcel) => void parcels.set(parcel.manifest.name, parcel),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** The name of a package with its scope, and the requested path. */
const ASKED = /^\/((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/;

/** Serves `meta.json`, `<version>_meta.json`, and the files. */
async function jsrAnswer(
  releases: ReadonlyMap<string, Release>,
  asked: string,
): Promise<Response | undefined> {
  const [, wanted = "", rest] = ASKED.exec(asked) ?? [];
  const release = releases.get(wanted);
  if (release === undefined) return undefined;
  const { name, version, exports, files } = release;
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

/** Serves the packument and the archive. */
async function npmAnswer(
  parcels: ReadonlyMap<string, Parcel>,
  asked: string,
  url: string,
): Promise<Response | undefined> {
  const [, name = "", rest] = ASKED.exec(asked) ?? [];
  const parcel = parcels.get(name);
  if (parcel === undefined) return undefined;
  const { manifest, tarball } = parcel;
  const { version } = manifest;
  if (rest === `${version}.tgz`) return new Response(tarball);
  if (rest !== undefined) return undefined;
  const dist = {
    tarball: `${url}${name}/${version}.tgz`,
    integrity: `sha512-${await hashOf(tarball, "SHA-512", "base64")}`,
  };
  return Response.json({
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist } },
  });
}

/** The name of a JSR package on npm. */
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
