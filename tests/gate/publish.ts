// A dry run of the release of each package, in a copy of the repository, without the network.
import { linkStd } from "./link_std.ts";
import { copyPackage, dryRun, MEMBERS } from "./package_copy.ts";

/** The files that a package must publish, and a pattern of the code; it may publish no other files. */
interface Package {
  readonly folder: string;
  readonly around: readonly string[];
  readonly code: RegExp;
}

/** The files that every package publishes besides its code. */
const AROUND = ["LICENSE", "README.md", "deno.json", "mod.ts"];

const PACKAGES: readonly Package[] = [
  {
    folder: "",
    around: [...AROUND, "CHANGELOG.md", "SECURITY.md"],
    code: /^(src|docs)\//,
  },
  ...MEMBERS.map((name): Package => ({
    folder: `/${name}`,
    around: AROUND,
    code: /^src\/\w+\.ts$/,
  })),
];

/** Checks the types of all packages in one process: `deno publish` would load the compiler for each. */
async function checkTypes(cwd: string): Promise<void> {
  const args = PACKAGES.map(({ folder }) => `.${folder}/mod.ts`);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", ...args],
    cwd,
  }).spawn().status;
  if (!success) throw new Error("The type check of the packages failed");
}

const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const copy = `${base}/package`;
  await copyPackage(copy, MEMBERS);
  // The smaller packages get their dependencies from npm.
  await Deno.symlink(
    await Deno.realPath("node_modules"),
    `${copy}/node_modules`,
  );
  await linkStd(copy, `${base}/std`);
  await checkTypes(copy);
  const faults: string[] = [];
  for (const { folder, around, code } of PACKAGES) {
    const { files, said } = await dryRun(copy + folder);
    console.log(said);
    faults.push(
      ...around.filter((file) => !files.includes(file))
        .map((file) => `.${folder}/${file} is not published`),
      ...files.filter((file) => !around.includes(file) && !code.test(file))
        .map((file) => `.${folder}/${file} is published`),
    );
    if (!files.some((file) => code.test(file))) {
      faults.push(`.${folder} publishes no code`);
    }
  }
  for (const fault of faults) console.error(fault);
  Deno.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await Deno.remove(base, { recursive: true });
}
