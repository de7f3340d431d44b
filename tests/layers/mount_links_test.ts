import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, ReadFileError } from "../../mod.ts";
import { mountFs } from "../../layers/mod.ts";
import { assertCode } from "../support/codes.ts";
import { nameless, withHandles } from "../support/fake_fs.ts";
import { MOUNTS, outcome, REPO } from "../support/mounts.ts";
import { recordingFs } from "../support/recording_fs.ts";

describe("links in a mount", () => {
  const ROWS: Readonly<Record<string, string>> = {
    "own": "A",
    "own-folder/b.txt": "B",
    "own-root/a.txt": "A",
    "near": "A",
    "dir/up": "A",
    "dir/root/a.txt": "A",
    "other": "OUTSIDE_WORKSPACE",
    "climbs": "OUTSIDE_WORKSPACE",
    "climbs-back": "OUTSIDE_WORKSPACE",
    "turns": "OUTSIDE_WORKSPACE",
    "leaves": "OUTSIDE_WORKSPACE",
    "dots": "OUTSIDE_WORKSPACE",
    "begins": "OUTSIDE_WORKSPACE",
    // The outcome of reading the target directly is the same.
    "into": "LOG",
  };
  for (const [name, expected] of Object.entries(ROWS)) {
    for (const root of ["/", "/repo"]) {
      it(`${name}, from the root ${root}: ${expected}`, async () => {
        const path = root === "/" ? `repo/${name}` : name;
        assertEquals(await outcome(mountFs(MOUNTS), path, root), expected);
      });
    }
    it(`${name} has the same realPath()`, async () => {
      const fs = mountFs(MOUNTS);
      const ask = async () => await fs.realPath(`/repo/${name}`);
      if (expected !== "OUTSIDE_WORKSPACE") return void await ask();
      await assertCode(ask, "EXDEV");
    });
  }
  it("have their targets as the port stores them", async () => {
    const files = {
      "/srv/app/a.txt": "A",
      "/srv/app/link": { link: "/srv/app/a.txt" },
      "/srv/app/confused": { link: "/repo/a.txt" },
    };
    const fs = mountFs({ "/repo": { fs: memoryFs(files), root: "/srv/app" } });
    assertEquals(await outcome(fs, "repo/link"), "A");
    assertEquals(await fs.readLink("/repo/link"), "/repo/a.txt");
    // That path exists in the tree, but not in the port.
    assertEquals(await outcome(fs, "repo/confused"), "OUTSIDE_WORKSPACE");
  });
  it("lead to a path of the tree, possibly in a nested mount", async () => {
    const fs = mountFs({
      "/": memoryFs({
        "/ws/l": { link: "/secret/k" },
        "/ws/m": { link: "../secret/k" },
        "/secret/k": "SHADOWED",
      }),
      "/secret": { fs: memoryFs({ "/k": "K" }), root: "/" },
    });
    for (const path of ["ws/l", "ws/m"]) {
      assertEquals(await outcome(fs, path), "K");
      assertEquals(await fs.realPath(`/${path}`), "/secret/k");
      // Rules apply to the path of the target in the tree.
      const deny = ["secret/**"];
      const workspace = await openWorkspace("/", { fs, deny });
      const error = await assertRejects(
        () => workspace.read(path),
        ReadFileError,
      );
      assertEquals(error.code, "POLICY_DENIED", path);
      const name = path.replace("ws/", "");
      assertEquals(await outcome(fs, name, "/ws"), "OUTSIDE_WORKSPACE");
    }
  });
  it("with a trailing slash must lead to a directory", async () => {
    const fs = mountFs({
      "/m": memoryFs({ "/m/a": "A", "/m/l": { link: "/m/a/" } }),
    });
    assertEquals(await outcome(fs, "m/l"), "NOT_FOUND");
    assertEquals(await fs.readLink("/m/l"), "/m/a/");
  });
  it("make no call outside the root of the mount", async () => {
    const memory = recordingFs(memoryFs(REPO));
    const fs = mountFs({ ...MOUNTS, "/repo": memory });
    for (const name of Object.keys(ROWS)) await outcome(fs, `repo/${name}`);
    const outside = memory.asked
      .filter((path) => path !== "/repo" && !path.startsWith("/repo/"));
    assertEquals(outside, []);
  });
});

describe("an open file in a mount", () => {
  /** A port that opens another file than the requested one. */
  const swapped = (other: string) => {
    const memory = memoryFs(REPO);
    return { ...memory, open: () => memory.open(other) };
  };
  for (
    const [what, other] of [
      ["outside the mount", "/secret.txt"],
      ["at a path that another mount hides", "/repo/logs/shadowed.txt"],
    ] as const
  ) {
    it(`whose real path is ${what} is not read`, async () => {
      const fs = mountFs({ ...MOUNTS, "/repo": swapped(other) });
      assertEquals(await outcome(fs, "repo/a.txt"), "CHANGED");
    });
    it(`whose real path is ${what} is not read, also without its path`, async () => {
      const fs = mountFs({ ...MOUNTS, "/repo": nameless(swapped(other)) });
      assertEquals(await outcome(fs, "repo/a.txt"), "CHANGED");
    });
  }
  it("without a path is proved by challenges", async () => {
    const fs = mountFs({ ...MOUNTS, "/repo": nameless(memoryFs(REPO)) });
    assertEquals(await outcome(fs, "repo/a.txt"), "A");
    assertEquals(await outcome(fs, "a.txt", "/repo"), "A");
  });
  it("is denied by its path in the tree", async () => {
    const fs = mountFs(MOUNTS);
    const deny = ["repo/dir", "notes/**"];
    const workspace = await openWorkspace("/", { fs, deny });
    for (const path of ["repo/dir/b.txt", "repo/own-folder/b.txt", "notes/x"]) {
      const error = await assertRejects(
        () => workspace.read(path),
        ReadFileError,
      );
      assertEquals(error.code, "POLICY_DENIED", path);
    }
  });
  it("is closed once", async () => {
    let closes = 0;
    const memory = withHandles(memoryFs(REPO), () => ({
      close: () => void closes++,
    }));
    await outcome(mountFs({ "/repo": memory }), "repo/a.txt");
    assertEquals(closes, 1);
  });
});
