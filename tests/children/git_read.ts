// Prints the files of a revision of a repository, or the codes of the failures, and the permissions that are left.
import process from "node:process";
import { openWorkspace, ReadFileError } from "../../mod.ts";
import { gitFs } from "../../git/mod.ts";

const [repository = "", rev = "", ...paths] = process.argv.slice(2);

async function answerTo(path: string): Promise<string> {
  try {
    const fs = await gitFs({ repository, rev });
    const workspace = await openWorkspace("/", { fs });
    const file = await workspace.open(path);
    const bytes = new Uint8Array(100);
    const count = await file.read(bytes, 0);
    await file.close();
    return new TextDecoder().decode(bytes.subarray(0, count));
  } catch (error) {
    if (error instanceof ReadFileError) return error.code;
    throw error;
  }
}

const answers: string[] = [];
for (const path of paths) answers.push(await answerTo(path));
console.log(JSON.stringify(answers));
