/** Tests the schemas of the MCP server against its tools. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { boundsFor } from "../../mcp/src/bounds.ts";
import { readFileTool } from "../../mcp/src/read_file.ts";
import { pageSchema } from "../../mcp/src/page_schema.ts";
import { readFilesTool } from "../../mcp/src/read_files.ts";
import { Scope } from "../../mcp/src/scope.ts";
import type { Json } from "../../mcp/src/messages.ts";
import { Versions } from "../../mcp/src/versions.ts";
import { type JsonSchema, ReadFileError } from "../../mod.ts";
import { workspaceOf } from "../support/bad_answers.ts";
import { anyArguments } from "../support/bad_input.ts";
import { Random, SEED } from "../support/random.ts";

/** The number of calls for each tool. */
const CALLS = 5_000;

/** The message for a value of the wrong type, or out of bounds. */
const TYPE_ERROR =
  /must be (?:a string|a path|a whole number|true or false|an object|a list)|is not an argument/;

const OPTIONS = { maxChars: 2000, paths: "", paged: true };

const TOOLS = [readFileTool(OPTIONS), readFilesTool(OPTIONS)];

describe("the schemas of the MCP server's own tools", () => {
  for (const { name, parameters, output, call } of TOOLS) {
    it(`${name}: arguments that are valid by draft 2020-12 are not type errors (seed ${SEED})`, async () => {
      const { workspace } = await workspaceOf();
      const scope = new Scope([{ name: "ws", path: "/ws", workspace }]);
      const ajv = new Ajv2020({ strict: true, strictTypes: false });
      const takes = ajv.compile(parameters);
      const gives = ajv.compile(output!);
      const random = new Random(SEED);
      const { signal } = new AbortController();
      const context = {
        scope,
        bounds: boundsFor("tests", 2000),
        versions: new Versions(),
        sessions: new Map(),
        maxScan: 1024 ** 3,
        signal,
        notes: [],
      };
      let taken = 0;
      let read = 0;
      for (let count = 0; count < CALLS; count++) {
        const args = jsonOf(argumentsFor(parameters, random));
        if (args === undefined || !takes(args) || !isNamed(args, parameters)) {
          continue;
        }
        taken++;
        const answer = await call(args, context)
          .then(({ facts }) => facts, messageOf);
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
      assert(taken > CALLS / 25, `${taken} were taken`);
      assert(read > 5, `${read} were read`);
    });
  }

  it("accept no number that a tool refuses", () => {
    for (const { parameters } of TOOLS) {
      const takes = new Ajv2020().compile(parameters);
      for (const maxChars of [0, 999, 2001, 2 ** 53, 1500.5, "1500"]) {
        const args = { path: "a.txt", files: [{ path: "a.txt" }], maxChars };
        const [only] = parameters.required!;
        assertEquals(takes({ [only!]: Object(args)[only!], maxChars }), false);
      }
    }
  });
});

/** Arguments that mostly match a schema; most lists have one file. */
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

/**
 * Whether all names are known. The schemas allow others, so that a client lets
 * through the names that models bring from other tools.
 */
function isNamed(args: Json, { properties = {} }: JsonSchema): boolean {
  const isKnown = (one: unknown, known: object) =>
    typeof one === "string" ||
    Object.keys(Object(one)).every((name) => Object.hasOwn(known, name));
  const files = Array.isArray(args.files) ? args.files : [];
  return isKnown(args, properties) &&
    files.every((file) => isKnown(file, pageSchema(OPTIONS).properties));
}

/** The arguments as a JSON object, as in the protocol. */
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

/** The errors of files that could not be read. */
function errorsIn({ files = [] }: Json): string[] {
  return (files as readonly Json[])
    .map(({ error }) => error)
    .filter((error) => error !== null)
    .map((error) => String(Object(error).message));
}
