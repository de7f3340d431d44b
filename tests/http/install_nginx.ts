// Installs nginx, unless it is there: the tests of httpFs() are nothing without it.

/** Two steps of the gate may want it at the same time. */
const APT = ["-qq", "-o", "DPkg::Lock::Timeout=300"];

const ENVIRONMENT = {
  DEBIAN_FRONTEND: "noninteractive",
  // It is to be there, not to be started on the machine's own port.
  RUNLEVEL: "1",
};

if (!await isThere()) {
  await apt("update");
  await apt("install", "--yes", "--no-install-recommends", "nginx");
  if (!await isThere()) {
    console.error("nginx is not there, and cannot be installed");
    Deno.exit(1);
  }
}

async function isThere(): Promise<boolean> {
  // A permission to run it would be looked up before it is there.
  const args = ["-c", "command -v nginx"];
  const { success } = await new Deno.Command("sh", { args, stdout: "null" })
    .output();
  return success;
}

/** How apt fares is seen from whether nginx is there afterwards. */
async function apt(...args: readonly string[]): Promise<void> {
  try {
    await new Deno.Command("apt-get", {
      args: [...APT, ...args],
      env: ENVIRONMENT,
      stdin: "null",
    }).spawn().status;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.error("There is no apt-get; install nginx by hand");
  }
}
