/**
 * Installs the frameworks of examples/frameworks, checks the types of the examples
 * and of docs/frameworks.md with TypeScript's own compiler, and runs each example:
 * what its played model is handed must be the texts and the images that `respond`
 * gives.
 */
import { assertEquals } from "@std/assert";
import { CALLS, makeTools } from "../../examples/frameworks/played.ts";
import { respond } from "../../mod.ts";
import map from "../typed_std.json" with { type: "json" };

const FOLDER = "examples/frameworks";
const BUN = "node_modules/.bin/bun";
const EXAMPLES = [
  "ai_sdk",
  "anthropic_runner",
  "langchain",
  "mastra",
  "openai_agents",
];

/** Runs a program; returns what it printed. */
async function run(name: string, args: readonly string[]): Promise<string> {
  const command = new Deno.Command(name, {
    args: [...args],
    stdin: "null",
    stderr: "inherit",
  });
  const { success, stdout } = await command.output();
  const text = new TextDecoder().decode(stdout);
  if (success) return text;
  console.error(text);
  throw new Error(`${name} ${args.join(" ")} failed`);
}

/** The texts and the base64 among the parts of a message, in any form. */
function stringsIn(told: unknown): readonly string[] {
  if (typeof told === "string") {
    return [told.replace(/^data:[^,]*,/, "")];
  }
  return Object.entries(Object(told)).flatMap(([key, value]) =>
    /^(?:type|mimeType|mediaType|media_type|detail)$/.test(key)
      ? []
      : stringsIn(value)
  );
}

await run("npm", ["ci", `--prefix=${FOLDER}`, "--ignore-scripts"]);

// The types of @std are those of the repository's own check.
const std = Object.entries(map.imports)
  .filter(([name]) => name.startsWith("@std/"))
  .map(([name, types]) => [name, [`${Deno.cwd()}/tests/${types}`]]);
const config = `${FOLDER}/node_modules/checked.json`;
const paths = {
  "@agent-tools/read-file": [`${Deno.cwd()}/mod.ts`],
  ...Object.fromEntries(std),
};
const page = await Deno.readTextFile("docs/frameworks.md");
const programs = Array.from(
  page.matchAll(/^```ts ignore\n([^]*?)^```$/gm),
  ([, program = ""], at) => [`program_${at}.ts`, program] as const,
);
assertEquals(programs.length, EXAMPLES.length);
for (const [name, program] of programs) {
  await Deno.writeTextFile(`${FOLDER}/node_modules/${name}`, program);
}
await Deno.writeTextFile(
  config,
  JSON.stringify({
    extends: "../tsconfig.json",
    compilerOptions: {
      paths,
      typeRoots: [`${Deno.cwd()}/node_modules/@types`],
    },
    files: programs.map(([name]) => name),
    include: ["../*.ts"],
  }),
);
await run(BUN, ["node_modules/typescript/bin/tsc", "-p", config]);

const [readFile] = await makeTools();

// LangChain accepts all arguments, but shows a model the schema of the tool.
await Deno.writeTextFile(
  `${FOLDER}/node_modules/shown.ts`,
  `import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { definitions } from "@agent-tools/read-file";
import { tool } from "langchain";
import { makeTools } from "../played.ts";
const [[call, about]] = definitions("langchain", await makeTools());
const made = tool(call, about);
const shown = convertToOpenAITool(made).function.parameters;
console.log(JSON.stringify([shown, made.schema]));
`,
);
const shown = await run(BUN, [`${FOLDER}/node_modules/shown.ts`]);
const { parameters } = readFile.definition;
assertEquals(JSON.parse(shown), [parameters, parameters]);

const expected: (readonly string[])[] = [];
for (const args of CALLS) {
  const { text, images = [] } = await respond(readFile, args);
  expected.push([text, ...images.map(({ data }) => data)]);
}
for (const example of EXAMPLES) {
  const printed = await run(BUN, [`${FOLDER}/${example}.ts`]);
  const told = printed.trimEnd().split("\n").map((line) =>
    stringsIn(JSON.parse(line))
  );
  assertEquals(told, expected, example);
  console.log(`${example}: ${told.length} calls, the same texts`);
}
