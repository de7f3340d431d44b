// Installs a program that tests need from Debian's packages, unless it is there.
const [program = ""] = Deno.args;

/** Two steps of the gate may want it at the same time. */
const APT = ["-qq", "-o", "DPkg::Lock::Timeout=300"];

const ENVIRONMENT = {
  DEBIAN_FRONTEND: "noninteractive",
  // The package must not start its server.
  RUNLEVEL: "1",
};

if (!await isThere()) {
  await apt("update");
  await apt("install", "--yes", "--no-install-recommends", program);
  if (!await isThere()) {
    console.error(`${program} is missing, and cannot be installed`);
    Deno.exit(1);
  }
}

async function isThere(): Promise<boolean> {
  // Run it by the shell: Deno would look up the program when it checks the permission.
  const args = ["-c", 'command -v "$1"', "sh", program];
  const { success } = await new Deno.Command("sh", { args, stdout: "null" })
    .output();
  return success;
}

/** Runs apt; whether the program exists afterwards shows if it succeeded. */
async function apt(...args: readonly string[]): Promise<void> {
  try {
    await new Deno.Command("apt-get", {
      args: [...APT, ...args],
      env: ENVIRONMENT,
      stdin: "null",
    }).spawn().status;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.error(`There is no apt-get; install ${program} by hand`);
  }
}
