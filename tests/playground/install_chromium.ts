// Installs Chromium, unless it is there.

const APT = ["-qq", "-o", "DPkg::Lock::Timeout=300"];

if (!await isThere()) {
  await apt("update");
  await apt("install", "--yes", "--no-install-recommends", "chromium");
  if (!await isThere()) {
    console.error("Chromium is missing; install it by hand");
    Deno.exit(1);
  }
}

async function isThere(): Promise<boolean> {
  const args = ["-c", "command -v chromium"];
  const { success } = await new Deno.Command("sh", { args, stdout: "null" })
    .output();
  return success;
}

/** Whether apt succeeded is seen from whether Chromium is there afterwards. */
async function apt(...args: readonly string[]): Promise<void> {
  try {
    await new Deno.Command("apt-get", {
      args: [...APT, ...args],
      env: { DEBIAN_FRONTEND: "noninteractive" },
      stdin: "null",
    }).spawn().status;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
