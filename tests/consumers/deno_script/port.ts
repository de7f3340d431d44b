// The script of a port's author, which tests the port with the published suite.
import { type FsPort, memoryFs } from "jsr:@agent-tools/read-file@^0.2";
import {
  fsPortSuite,
  type PortTree,
} from "jsr:@agent-tools/read-file-testing@^0.2";

/** The number of cases, and the names of the failed ones. */
async function test(change: (fs: FsPort) => FsPort) {
  const plant = (tree: PortTree) => {
    const files = Object.entries(tree).map(([path, entry]) =>
      [`/${path}`, entry] as const
    );
    return { fs: change(memoryFs(Object.fromEntries(files))), root: "" };
  };
  const cases = fsPortSuite(plant);
  const failed: string[] = [];
  for (const { name, run } of cases) {
    await run().catch(() => failed.push(name));
  }
  return { cases: cases.length, failed };
}

console.log(JSON.stringify({
  good: await test((fs) => fs),
  bad: await test((fs) => ({ ...fs, readLink: () => "elsewhere" })),
}));
