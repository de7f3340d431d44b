/** The part of the port's promises that is about links. */
import { assert, assertEquals } from "@std/assert";
import { it } from "node:test";
import { assertCode, kindOpened } from "../support/codes.ts";
import type { LayOut } from "../support/layout.ts";

/** Makes the tests; `layOut` makes a port. */
export function linkTests(layOut: LayOut): void {
  const layout = [
    "ws/d/a: hello",
    "ws/relative -> d/a",
    "ws/absolute -> $/ws/d/a",
    "ws/folder -> ./d/../d",
    "ws/chain -> link2",
    "ws/link2 -> link3",
    "ws/link3 -> relative",
    "ws/dangling -> nope",
    "ws/loop -> loop",
    "ws/ping -> pong",
    "ws/pong -> ping",
  ];
  for (const name of ["d/a", "relative", "absolute", "folder/a", "chain"]) {
    it(`realPath() finds the file behind ${name}`, async () => {
      await using place = await layOut(layout);
      const real = await place.fs.realPath(`${place.root}/${name}`);
      assertEquals(real, `${place.root}/d/a`);
    });
  }
  it("realPath() fails where a link leads nowhere, or in a circle", async () => {
    await using place = await layOut(layout);
    const realPath = (name: string) => () =>
      place.fs.realPath(`${place.root}/${name}`);
    await assertCode(realPath("dangling"), "ENOENT");
    await assertCode(realPath("loop"), "ELOOP");
    await assertCode(realPath("ping"), "ELOOP");
  });
  it("lstat() looks through links on the way, not at the end", async () => {
    await using place = await layOut(layout);
    for (const name of ["relative", "dangling", "loop"]) {
      const { kind } = await place.fs.lstat(`${place.root}/${name}`);
      assertEquals(kind, "symlink");
    }
    const { kind } = await place.fs.lstat(`${place.root}/folder/a`);
    assertEquals(kind, "file");
  });
  it("readLink() gives the target as it was written", async () => {
    await using place = await layOut(layout);
    const readLink = (name: string) =>
      place.fs.readLink(`${place.root}/${name}`);
    assertEquals(await readLink("folder"), "./d/../d");
    assertEquals(await readLink("absolute"), `${place.base}/ws/d/a`);
    assertEquals(await readLink("dangling"), "nope");
    assertEquals(await readLink("loop"), "loop");
  });
  it("readLink() says EINVAL of what is no link", async () => {
    await using place = await layOut(layout);
    await assertCode(() => place.fs.readLink(`${place.root}/d`), "EINVAL");
    await assertCode(() => place.fs.readLink(`${place.root}/d/a`), "EINVAL");
  });
  it("open() never hands out the link itself", async () => {
    await using place = await layOut(layout);
    // Under its permissions Deno follows the last link: see disk_test.ts.
    const kind = await kindOpened(place.fs, `${place.root}/relative`);
    assert(["ELOOP", "file"].includes(kind), kind);
    const dangling = await kindOpened(place.fs, `${place.root}/dangling`);
    assert(["ELOOP", "ENOENT"].includes(dangling), dangling);
    assertEquals(await kindOpened(place.fs, `${place.root}/loop`), "ELOOP");
  });
  it("path() names what is open by its real path, or not at all", async () => {
    await using place = await layOut(layout);
    for (const name of ["d/a", "folder/a"]) {
      const handle = await place.fs.open(`${place.root}/${name}`);
      const path = await handle.path();
      await handle.close();
      assert(path === undefined || path === `${place.root}/d/a`, path);
    }
  });
}
