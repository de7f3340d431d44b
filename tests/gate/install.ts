// Installs node_modules exactly as in package-lock.json, unless that was done before.

const LOCK = "package-lock.json";
const STAMP = `node_modules/.installed-${LOCK}`;

const wanted = await Deno.readTextFile(LOCK);
const installed = await Deno.readTextFile(STAMP).catch(() => "");

const { isSymlink } = await Deno.lstat("node_modules")
  .catch(() => ({ isSymlink: false }));
if (wanted !== installed && isSymlink) {
  // As in a worktree: `npm ci` would empty the directory that it leads to.
  console.error(`node_modules is a link, and may differ from ${LOCK}`);
} else if (wanted !== installed) {
  const npm = new Deno.Command("npm", { args: ["ci", "--loglevel=error"] });
  const { code } = await npm.spawn().status;
  if (code !== 0) Deno.exit(code);
  await Deno.writeTextFile(STAMP, wanted);
}
