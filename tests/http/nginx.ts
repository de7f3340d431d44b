/** An unprivileged nginx on the loopback, which ends with the tests. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Place, readLayout } from "../support/layout.ts";
import { httpFs } from "../../mod.ts";
import {
  freePort,
  serverFolder,
  startGuarded,
  untilAnswering,
} from "./guarded.ts";

/** The credentials for `/private/`. */
export const USER = "reader";
export const PASSWORD = "s3cr3t-password";

/** A request in the log of nginx. */
export interface Noted {
  readonly method: string;
  readonly status: number;
  /** How many bytes of the body were sent. */
  readonly bytes: number;
  readonly url: string;
}

/** How many other ports are tried if a port is in use. */
const STARTS = 3;

function configuration(folder: string, port: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((what) => `${what}_temp_path ${folder}/${what};`);
  return `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      ${temporary.join("\n")}
      log_format noted '$request_method $status $body_bytes_sent $request_uri';
      access_log ${folder}/access.log noted;
      default_type application/octet-stream;
      server {
        listen 127.0.0.1:${port};
        root ${folder}/files;
        location /compressed/ {
          alias ${folder}/files/;
          gzip on;
          gzip_types *;
          gzip_min_length 0;
        }
        location /zipped/ {
          alias ${folder}/files/;
          add_header Content-Encoding gzip;
        }
        location /whole/ { alias ${folder}/files/; max_ranges 0; }
        location /weak/ { alias ${folder}/files/; etag off; }
        location /bare/ {
          alias ${folder}/files/;
          etag off;
          add_header Last-Modified "";
        }
        location /no-head/ {
          alias ${folder}/files/;
          if ($request_method = HEAD) { return 405; }
        }
        location /steady/ { alias ${folder}/files/; limit_rate 64k; }
        location /slow/ { alias ${folder}/files/; limit_rate 1k; }
        location /private/ {
          alias ${folder}/files/;
          auth_basic files;
          auth_basic_user_file ${folder}/users;
        }
        location /moved/ {
          location ~ ^/moved/in/(.*)$ { return 302 /moved/to/$1; }
          location /moved/to/ { alias ${folder}/files/; }
          location ~ ^/moved/round/(.*)$ { return 302 /moved/to/private/$1; }
          location ~ ^/moved/out/(.*)$ { return 302 /$1; }
          location ~ ^/moved/away/(.*)$ { return 302 http://localhost:${port}/moved/to/$1; }
        }
        location /busy/ { return 503; }
        location = /ready { return 204; access_log off; }
      }
    }`;
}

/** The server. */
export class Nginx {
  readonly folder: string;
  readonly url: string;
  #places = 0;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts the server, and waits until it answers. */
  static async start(): Promise<Nginx> {
    for (let start = 1; start <= STARTS; start++) {
      const folder = serverFolder();
      mkdirSync(join(folder, "files"));
      const port = await freePort();
      writeFileSync(join(folder, "nginx.conf"), configuration(folder, port));
      writeFileSync(join(folder, "users"), `${USER}:{PLAIN}${PASSWORD}\n`);
      const server = startGuarded(folder, [
        "nginx",
        "-p",
        folder,
        "-c",
        join(folder, "nginx.conf"),
        "-e",
        join(folder, "error.log"),
      ]);
      const nginx = new Nginx(folder, port);
      if (await untilAnswering(`${nginx.url}/ready`)) return nginx;
      server.stdin?.end();
    }
    throw new Error("nginx does not start; is it installed?");
  }

  /** The path on the disk of a served file. */
  pathOf(name: string): string {
    return join(this.folder, "files", name);
  }

  /** Writes a file with an old time. */
  put(name: string, content: string | Uint8Array): void {
    const path = this.pathOf(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    this.age(name);
  }

  /** Sets an old time on a file. */
  age(name: string): void {
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(this.pathOf(name), longAgo, longAgo);
  }

  /** A folder for one test. */
  newFolder(): string {
    return `place-${this.#places++}`;
  }

  /** Creates a layout in a new folder. */
  // deno-lint-ignore require-await
  async layOut(layout: readonly string[]): Promise<Place> {
    const folder = this.newFolder();
    for (const entry of readLayout(["ws/", ...layout])) {
      const name = `${folder}/${entry.path}`;
      if (entry.kind === "file") this.put(name, entry.text);
      else if (entry.kind === "folder") {
        mkdirSync(this.pathOf(name), { recursive: true });
      } else throw new TypeError(`No ${entry.kind} there`);
    }
    return {
      fs: httpFs(`${this.url}/${folder}`),
      base: "/",
      root: "/ws",
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  /** The requests below the folder of a test, once `count` of them have ended. */
  async noted(folder: string, count: number): Promise<readonly Noted[]> {
    for (let looks = 0;; looks++) {
      const some = this.#readLog()
        .filter(({ url }) => url.includes(`/${folder}/`));
      if (some.length >= count || looks === 500) return some;
      // The log has an aborted request once nginx notices the abort.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  #readLog(): Noted[] {
    const text = readFileSync(join(this.folder, "access.log"), "utf8");
    return text.split("\n").slice(0, -1).map((line) => {
      const [method = "", status, bytes, url = ""] = line.split(" ");
      return { method, status: Number(status), bytes: Number(bytes), url };
    });
  }
}
