/** Tests the schemas of the reader's tools against the tools. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  type JsonSchema,
  type ReaderArguments,
  readerTools,
  type Workspace,
} from "../../../mod.ts";
import { workspaceOf } from "../../support/bad_answers.ts";
import { anyArguments } from "../../support/bad_input.ts";
import { Random, SEED } from "../../support/random.ts";

type Json = Readonly<Record<string, unknown>>;

/** The number of calls for each tool. */
const CALLS = 5_000;

/** The message for a value of the wrong type, or out of bounds. */
const TYPE_ERROR =
  /must be (?:a string|a path|a whole number|true or false|an object|a list)|is not an argument/;

const toolsOf = (workspace: Workspace) =>
  readerTools(workspace, { maxChars: 2000, paged: true, session: true });

/** The arguments of each tool; the compiler checks that none is missing. */
const TYPED: {
  readonly [Name in keyof ReaderArguments]: Readonly<
    Record<keyof ReaderArguments[Name], true>
  >;
} = {
  read_file: {
    path: true,
    start: true,
    end: true,
    count: true,
    tail: true,
    around: true,
    match: true,
    regex: true,
    ignoreCase: true,
    glob: true,
    ignored: true,
    from: true,
    before: true,
    after: true,
    column: true,
    maxTokens: true,
    escape: true,
    numbered: true,
    etag: true,
    encoding: true,
    view: true,
    pages: true,
    changes: true,
    refresh: true,
    maxChars: true,
  },
  read_files: { files: true, maxChars: true },
  list_directory: {
    ...{ path: true, depth: true, glob: true, after: true, limit: true },
    ...{ times: true, maxChars: true },
  },
};

describe("the schemas of the reader's tools", () => {
  for (const [at, name] of ["read_file", "read_files"].entries()) {
    it(`${name}: arguments that are valid by draft 2020-12 are not type errors (seed ${SEED})`, async () => {
      const tools = toolsOf((await workspaceOf()).workspace);
      const [{ definition: page }] = tools;
      const { definition: { parameters }, factsSchema } = tools[at]!;
      const ajv = new Ajv2020({ strict: true, strictTypes: false });
      const takes = ajv.compile(parameters);
      const gives = ajv.compile({ ...factsSchema });
      const random = new Random(SEED);
      let taken = 0;
      let read = 0;
      for (let count = 0; count < CALLS; count++) {
        const args = jsonOf(argumentsFor(parameters, random));
        const isMeant = args !== undefined && takes(args) &&
          isNamed(args, parameters, page.parameters);
        if (!isMeant) continue;
        taken++;
        const { output, error } = await callTool(tools[at]!, args);
        const said = error ? [error.message] : errorsIn(output.facts);
        for (const message of said) {
          assert(
            !TYPE_ERROR.test(message),
            `${message}: ${JSON.stringify(args)}`,
          );
        }
        if (error !== undefined) continue;
        assert(gives(output.facts), JSON.stringify(gives.errors));
        if (said.length === 0) read++;
      }
      assert(taken > CALLS / 25, `${taken} were taken`);
      assert(read > 5, `${read} were read`);
    });
  }

  it("name the arguments that the types name", async () => {
    const { workspace } = await workspaceOf();
    const tools = readerTools(workspace, {
      ...{ paged: true, session: true, changes: true },
    });
    for (const { definition: { name, parameters } } of tools) {
      assertEquals(
        Object.keys(parameters.properties ?? {}).sort(),
        Object.keys(TYPED[name]).sort(),
      );
    }
  });

  it("take files as paths, and with arguments, as the tool does", async () => {
    const { workspace } = await workspaceOf();
    const [, readFiles] = toolsOf(workspace);
    const takes = new Ajv2020().compile(readFiles.definition.parameters);
    for (
      const [file, isTaken] of [
        ["a.txt:1-2", true],
        [{ path: "a.txt", start: 2 }, true],
        [5, false],
        [{ start: 2 }, false],
      ] as const
    ) {
      const sent: unknown = { files: [file] };
      assertEquals(takes(sent), isTaken);
      const { error } = await callTool(readFiles, sent);
      if (isTaken) assertEquals(error, undefined);
    }
  });

  it("accept no number that a tool refuses", async () => {
    const { workspace } = await workspaceOf();
    for (const { definition: { parameters } } of toolsOf(workspace)) {
      const takes = new Ajv2020().compile(parameters);
      for (const maxChars of [0, -1, 2001, 2 ** 53, 1500.5, "1500"]) {
        const args = { path: "a.txt", files: [{ path: "a.txt" }], maxChars };
        const [only = "path"] = parameters.required ?? [];
        assertEquals(takes({ [only]: Object(args)[only], maxChars }), false);
      }
    }
  });

  it("have no argument that only some options give, without these", async () => {
    const { workspace } = await workspaceOf();
    const namesOf = (options?: object) =>
      readerTools(workspace, options).map(({ definition: { parameters } }) =>
        Object.keys(parameters.properties ?? {})
      );
    const [page = [], ...others] = namesOf();
    const [all = [], ...rest] = namesOf({ paged: true, session: true });
    assertEquals(all.filter((name) => !page.includes(name)), [
      "pages",
      "refresh",
    ]);
    assertEquals(rest, others);
  });
});

/** Arguments that mostly match a schema; most lists have one file. */
function argumentsFor(schema: JsonSchema, random: Random): unknown {
  const args = anyArguments(schema, random);
  const items = schema.properties?.files?.items;
  if (items === undefined || random.below(9) === 0) return args;
  assert("anyOf" in items);
  const [path, file] = items.anyOf;
  assertEquals([path?.type, file?.type], ["string", "object"]);
  const files = Array.from(
    { length: random.below(5) === 0 ? 2 : 1 },
    () =>
      random.below(5) === 0
        ? "a.txt"
        : jsonOf(anyArguments(file!, random)) ?? {},
  );
  return { ...jsonOf(args), files };
}

/**
 * Whether all names are known. The schemas allow others, so that a client lets
 * through the names that models bring from other tools.
 */
function isNamed(
  args: Json,
  { properties = {} }: JsonSchema,
  page: JsonSchema,
): boolean {
  const isKnown = (one: unknown, known: object) =>
    typeof one === "string" ||
    Object.keys(Object(one)).every((name) => Object.hasOwn(known, name));
  const files = Array.isArray(args.files) ? args.files : [];
  return isKnown(args, properties) &&
    files.every((file) => isKnown(file, page.properties ?? {}));
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

/** The errors of files that could not be read. */
function errorsIn({ files = [] }: Json): string[] {
  return (files as readonly Json[])
    .map(({ error }) => error)
    .filter((error) => error !== null)
    .map((error) => String(Object(error).message));
}
