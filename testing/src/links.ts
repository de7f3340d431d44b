import type { FsPort } from "@agent-tools/read-file";
import {
  BrokenClaim,
  type DraftCase,
  expect,
  expectCode,
  kindOpened,
  type PortTree,
  withOpen,
} from "./port_case.ts";

const TREE: PortTree = {
  "d/a": "hello",
  "relative": { link: "d/a" },
  "absolute": { link: "/d/a" },
  "folder": { link: "./d/../d" },
  "chain": { link: "link2" },
  "link2": { link: "link3" },
  "link3": { link: "relative" },
  "dangling": { link: "nope" },
  "loop": { link: "loop" },
  "ping": { link: "pong" },
  "pong": { link: "ping" },
};

/** The claims about links. */
export function linkCases(): DraftCase[] {
  return [
    ...["d/a", "relative", "absolute", "folder/a", "chain"].map(realPathCase),
    {
      name: "realPath(): fails for a dangling link and for a loop",
      tree: TREE,
      async check({ fs, root }) {
        const codes = { dangling: "ENOENT", loop: "ELOOP", ping: "ELOOP" };
        for (const [name, code] of Object.entries(codes)) {
          const ask = () => fs.realPath(`${root}/${name}`);
          await expectCode(`realPath() of the link "${name}"`, ask, code);
        }
      },
    },
    {
      name: "lstat(): follows links in the path, but not the last one",
      tree: TREE,
      async check({ fs, root }) {
        for (const name of ["relative", "dangling", "loop", "folder"]) {
          const { kind } = await fs.lstat(`${root}/${name}`);
          expect(`the kind of "${name}"`, kind, "symlink");
        }
        const { kind } = await fs.lstat(`${root}/folder/a`);
        expect(`the kind of "folder/a"`, kind, "file");
      },
    },
    {
      name: "lstat(): gives the same identity by every path",
      tree: TREE,
      async check({ fs, root }) {
        const idOf = async (name: string) =>
          (await fs.lstat(`${root}/${name}`)).id;
        const through = await idOf("folder/a");
        expect("the id through a link", through, await idOf("d/a"));
        const ids = await Promise.all(["d", "d/a", "folder"].map(idOf));
        expect("the number of different ids", new Set(ids).size, 3);
      },
    },
    {
      name: "readLink(): gives the target exactly as stored",
      tree: TREE,
      async check({ fs, root }) {
        const absolute = `${root}/d/a`;
        const folder = "./d/../d";
        const targets = { folder, absolute, dangling: "nope", loop: "loop" };
        for (const [name, target] of Object.entries(targets)) {
          const read = await fs.readLink(`${root}/${name}`);
          expect(`the target of "${name}"`, read, target);
        }
      },
    },
    noLinkCase,
    {
      name: "open(): never opens the link itself",
      tree: TREE,
      async check({ fs, root }) {
        // A system without O_NOFOLLOW may follow the last link.
        await expectOpened(fs, `${root}/relative`, "ELOOP", "file");
        await expectOpened(fs, `${root}/dangling`, "ELOOP", "ENOENT");
        await expectOpened(fs, `${root}/loop`, "ELOOP");
      },
    },
    pathCase(["d/a", "folder/a"], TREE),
  ];
}

/** The claims of a port that lacks links. */
export function noLinkCases(): DraftCase[] {
  return [
    noLinkCase,
    {
      name: "realPath(): gives the normalized path",
      tree: { "d/a": "hello" },
      async check({ fs, root }) {
        const real = await fs.realPath(`${root}/d/../d/./a`);
        expect(`where "d/../d/./a" leads`, real, `${root}/d/a`);
      },
    },
    pathCase(["d/a"], { "d/a": "hello" }),
  ];
}

const noLinkCase: DraftCase = {
  name: "readLink(): fails with EINVAL if the path is not a link",
  tree: { "d/a": "hello" },
  async check({ fs, root }) {
    for (const name of ["d", "d/a"]) {
      const ask = () => fs.readLink(`${root}/${name}`);
      const what = `readLink() of "${name}", which is not a link,`;
      await expectCode(what, ask, "EINVAL");
    }
  },
};

function realPathCase(name: string): DraftCase {
  return {
    name: `realPath(): finds the file behind ${name}`,
    tree: TREE,
    async check({ fs, root }) {
      const real = await fs.realPath(`${root}/${name}`);
      expect(`where "${name}" leads`, real, `${root}/d/a`);
    },
  };
}

/** A claim about `path()` of the file `d/a`, opened by each of its paths. */
function pathCase(names: readonly string[], tree: PortTree): DraftCase {
  return {
    name: "path(): gives the real path of the open file, or none",
    tree,
    async check({ fs, root }) {
      for (const name of names) {
        const path = await withOpen(fs, `${root}/${name}`, (h) => h.path());
        if (path === undefined) continue;
        expect(`the path of the open file "${name}"`, path, `${root}/d/a`);
      }
    },
  };
}

async function expectOpened(
  fs: FsPort,
  path: string,
  ...wanted: readonly string[]
): Promise<void> {
  const kind = await kindOpened(fs, path);
  if (wanted.includes(kind)) return;
  const must = `must be ${wanted.join(" or ")}, and is ${kind}`;
  throw new BrokenClaim(`open() of ${JSON.stringify(path)} ${must}`);
}
