/** An S3 server on the loopback, which ends with the tests. */
import { join } from "node:path";
import { httpFs } from "../../mod.ts";
import { HOME } from "../support/child.ts";
import { type Place, readLayout } from "../support/layout.ts";
import {
  freePort,
  serverFolder,
  startGuarded,
  untilAnswering,
} from "./guarded.ts";

const BUCKET = "bucket";

/** The server, with one public bucket. */
export class S3 {
  /** The URL of the bucket. */
  readonly url: string;
  #places = 0;

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}/${BUCKET}`;
  }

  /** Starts the server, and waits until it answers. */
  static async start(): Promise<S3> {
    const folder = serverFolder();
    const port = await freePort();
    startGuarded(folder, [
      "node",
      join(HOME, "node_modules/s3rver/bin/s3rver.js"),
      `--directory=${join(folder, "objects")}`,
      "--address=127.0.0.1",
      `--port=${port}`,
      "--no-vhost-buckets",
      "--silent",
      "--configure-bucket",
      BUCKET,
    ]);
    const s3 = new S3(port);
    if (await untilAnswering(s3.url)) return s3;
    throw new Error("s3rver does not start");
  }

  /** Stores an object. */
  async put(key: string, content: string | Uint8Array): Promise<void> {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const body = new Blob([Uint8Array.from(bytesOf(content))]);
    const answer = await fetch(`${this.url}/${path}`, { method: "PUT", body });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`Cannot store ${key}: ${answer.status}`);
  }

  /** A folder for one test. */
  newFolder(): string {
    return `place-${this.#places++}`;
  }

  /** Creates a layout in a new folder; folders are implied. */
  async layOut(layout: readonly string[]): Promise<Place> {
    const folder = this.newFolder();
    for (const entry of readLayout(layout)) {
      if (entry.kind !== "file") throw new TypeError(`No ${entry.kind} there`);
      await this.put(`${folder}/${entry.path}`, entry.text);
    }
    return {
      fs: httpFs(`${this.url}/${folder}`),
      base: "/",
      root: "/ws",
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
}
