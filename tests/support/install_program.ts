// Installs a Debian package that tests need, unless its program exists; the program has the same name by default.
const [name = "", program = name] = Deno.args;

/** A lock: two steps of the gate may install at the same time. */
const APT = ["-qq", "-o", "DPkg::Lock::Timeout=300"];

const ENVIRONMENT = {
  DEBIAN_FRONTEND: "noninteractive",
  // The package must not start its server.
  RUNLEVEL: "1",
};

if (!await isThere()) {
  await apt("update");
  await apt("install", "--yes", "--no-install-recommends", name);
  if (!await isThere()) {
    console.error(`${program} is missing and cannot be installed`);
    Deno.exit(1);
  }
}

async function isThere(): Promise<boolean> {
  // The shell finds the program: Deno would need a permission for its path.
  const args = ["-c", 'command -v "$1"', "sh", program];
  const { success } = await new Deno.Command("sh", { args, stdout: "null" })
    .output();
  return success;
}

/** Runs apt; the caller checks whether the program exists afterwards. */
async function apt(...args: readonly string[]): Promise<void> {
  try {
    await new Deno.Command("apt-get", {
      args: [...APT, ...args],
      env: ENVIRONMENT,
      stdin: "null",
    }).spawn().status;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.error(`apt-get is missing; install ${program} manually`);
  }
}
