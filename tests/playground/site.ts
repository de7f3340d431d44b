/** Serves the playground on the loopback. */

const FOLDER = "docs/playground";

const TYPES: Readonly<Record<string, string>> = {
  "/": "text/html; charset=utf-8",
  "/page.css": "text/css",
  "/page.js": "text/javascript",
  "/tokens.js": "text/javascript",
};

/** Bundles the script of the page, with the package and the token counter. */
export async function build(): Promise<void> {
  await Promise.all(["page", "tokens"].map(bundle));
}

async function bundle(name: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--minify",
      "--platform=browser",
      "--import-map=tests/edge/import_map.json",
      `--output=${FOLDER}/${name}.js`,
      `${FOLDER}/${name}.ts`,
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** A server of the page that records its requests. */
export interface Site {
  readonly port: number;
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Serves only the page. */
export function serveFolder(port: number): Site {
  const asked: string[] = [];
  const options = { port, hostname: "127.0.0.1", onListen() {} };
  const server = Deno.serve(options, async ({ url, method }) => {
    const { pathname } = new URL(url);
    asked.push(`${method} ${pathname}`);
    const type = TYPES[pathname];
    if (type === undefined) return new Response(null, { status: 404 });
    const path = pathname === "/" ? "/index.html" : pathname;
    const body = await Deno.readFile(FOLDER + path);
    return new Response(body, { headers: { "content-type": type } });
  });
  return {
    port: server.addr.port,
    asked,
    close: () => server.shutdown(),
  };
}
