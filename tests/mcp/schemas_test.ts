/** What the schemas of the MCP server accept, in the hands of its tools. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { readFileTool } from "../../mcp/src/read_file.ts";
import { readFilesTool } from "../../mcp/src/read_files.ts";
import { Scope } from "../../mcp/src/scope.ts";
import type { Json } from "../../mcp/src/served_tool.ts";
import { type JsonSchema, ReadFileError } from "../../mod.ts";
import { workspaceOf } from "../support/bad_answers.ts";
import { anyArguments } from "../support/bad_input.ts";
import { Random, SEED } from "../support/random.ts";

/** Calls a tool gets. */
const CALLS = 5_000;

/** What is said of a value of the wrong type, or out of bounds. */
const TYPE_ERROR =
  /must be (?:a string|a whole number|at most|true or false|an object|a list)|is (?:no option|not an argument)/;

const TOOLS = [readFileTool(1000, ""), readFilesTool(1000, "")];

describe("the schemas of the MCP server's own tools", () => {
  for (const { name, input, output, call } of TOOLS) {
    it(`${name}: what draft 2020-12 takes, it does not call a type error (seed ${SEED})`, async () => {
      const { workspace } = await workspaceOf();
      const scope = new Scope([{ name: "ws", path: "/ws", workspace }]);
      const ajv = new Ajv2020({ strict: true, strictTypes: false });
      const takes = ajv.compile(input);
      const gives = ajv.compile(output);
      const random = new Random(SEED);
      const { signal } = new AbortController();
      let taken = 0;
      let read = 0;
      for (let count = 0; count < CALLS; count++) {
        const args = jsonOf(argumentsFor(input, random));
        if (args === undefined || !takes(args)) continue;
        taken++;
        const answer = await call(args, scope, signal)
          .then(({ structured }) => structured, messageOf);
        const said = typeof answer === "string" ? [answer] : errorsIn(answer);
        for (const message of said) {
          assert(
            !TYPE_ERROR.test(message),
            `${message}: ${JSON.stringify(args)}`,
          );
        }
        if (typeof answer === "string") continue;
        assert(gives(answer), JSON.stringify(gives.errors));
        if (said.length === 0) read++;
      }
      assert(taken > CALLS / 20, `${taken} were taken`);
      assert(read > 5, `${read} were read`);
    });
  }

  it("take no number that a tool refuses for its size", () => {
    for (const { input } of TOOLS) {
      const takes = new Ajv2020().compile(input);
      for (const maxBytes of [0, 262_145, 2 ** 53, 1.5, "1"]) {
        const args = { path: "a.txt", files: [{ path: "a.txt" }], maxBytes };
        const [only] = input.required!;
        assertEquals(takes({ [only!]: Object(args)[only!], maxBytes }), false);
      }
    }
  });
});

/** Arguments that follow a schema for the most part; most lists have one file. */
function argumentsFor(schema: JsonSchema, random: Random): unknown {
  const args = anyArguments(schema, random);
  const items = schema.properties?.files?.items;
  if (items === undefined || random.below(9) === 0) return args;
  const files = Array.from(
    { length: random.below(5) === 0 ? 2 : 1 },
    () => jsonOf(anyArguments(items, random)) ?? {},
  );
  return { ...jsonOf(args), files };
}

/** The arguments as the protocol has them: an object of JSON. */
function jsonOf(args: unknown): Json | undefined {
  try {
    const value: unknown = JSON.parse(JSON.stringify(args));
    return Object(value) === value ? value as Json : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  assert(error instanceof ReadFileError, String(error));
  return error.message;
}

/** What is told of files that could not be read. */
function errorsIn({ files = [] }: Json): string[] {
  return (files as readonly Json[])
    .map(({ error }) => error)
    .filter((error) => error !== null)
    .map((error) => String(Object(error).message));
}
