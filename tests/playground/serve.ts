// deno task playground: builds the page, and serves it on the loopback.
import { build, serveFolder } from "./site.ts";

await build();
const server = serveFolder(8000);
console.log(`http://127.0.0.1:${server.port}/`);
