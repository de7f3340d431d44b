/** Reads the settings of an agent in `docs/agents.md`. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const HOME = new URL("../../", import.meta.url).pathname;

/** The first code block below a heading. */
export async function blockUnder(heading: string): Promise<string> {
  const text = await readFile(join(HOME, "docs/agents.md"), "utf8");
  const [, section] = text.split(new RegExp(`^### ${heading}\n`, "m"));
  const [, block] = /^```\w+\n([^]*?)^```$/m.exec(section ?? "") ?? [];
  if (block === undefined) {
    throw new Error(`docs/agents.md has no code below ${heading}`);
  }
  return block;
}

/**
 * Makes a `deno` command start the server from this repository, which may be
 * unreleased, with `--pdf`. Other arguments stay as they are.
 */
export async function standInForDeno(
  folder: string,
  deno: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const program = join(folder, "deno");
  await writeFile(
    program,
    `#!/bin/sh
for word do
  shift
  case "$word" in
    run) set -- "$@" run --quiet --no-check "--import-map=${HOME}tests/npm_std.json" ;;
    --node-modules-dir=none) set -- "$@" --node-modules-dir=manual ;;
    --allow-read=*) set -- "$@" "$word,${HOME}pdf,${HOME}node_modules/unpdf" ;;
    jsr:@agent-tools/read-file-mcp@*) set -- "$@" "${HOME}mcp/mod.ts" --pdf ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec "${deno}" "$@"
`,
  );
  await chmod(program, 0o755);
}
