// Runtime-agnostic.

/**
 * A JSON Schema, as far as the tools need one.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, FileRoot, type JsonSchema, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const optionalIn = ({ properties = {}, required = [] }: JsonSchema) =>
 *   Object.keys(properties).filter((name) => !required.includes(name));
 * const { definition } = createOpenFile(await FileRoot.at(memoryFs({}), "/"));
 * assertEquals(optionalIn(definition.parameters), ["start_line", "end_line"]);
 * ```
 */
export interface JsonSchema {
  /** The type of the value. */
  readonly type: string;
  /** What the value is for. */
  readonly description?: string;
  /** The properties of an object. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The properties that an object must have. */
  readonly required?: readonly string[];
  /** Whether an object may have properties not named here. */
  readonly additionalProperties?: boolean;
  /** What each element of an array is. */
  readonly items?: JsonSchema;
  /** The fewest elements of an array. */
  readonly minItems?: number;
  /** The most elements of an array. */
  readonly maxItems?: number;
  /** The smallest number allowed. */
  readonly minimum?: number;
  /** The largest number allowed. */
  readonly maximum?: number;
  /** The strings allowed. */
  readonly enum?: readonly string[];
  /** The value that stands for an absent one. */
  readonly default?: string | number | boolean;
}

/**
 * What JSON can say.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, definitions } from "@agent-tools/read-file";
 * import { FileRoot, type JsonValue, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const [tool] = definitions("openai", [createOpenFile(await FileRoot.at(memoryFs({}), "/"))]);
 * const least: JsonValue | undefined = tool?.parameters.properties.start_line?.minimum;
 * assertEquals(least, 1);
 * ```
 */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue };

/**
 * The schema of a tool's arguments, a copy that is the caller's own.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, definitions } from "@agent-tools/read-file";
 * import { type ArgumentsSchema, FileRoot, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const requireAll = (schema: ArgumentsSchema): ArgumentsSchema =>
 *   Object.assign(schema, { required: Object.keys(schema.properties) });
 * const tool = createOpenFile(await FileRoot.at(memoryFs({}), "/"));
 * const schemas = definitions("mcp", [tool]).map(({ inputSchema }) => requireAll(inputSchema));
 * assertEquals(schemas[0]?.required.length, 3);
 * assertEquals(tool.definition.parameters.required?.length, 1); // the tool has its own
 * ```
 */
export interface ArgumentsSchema {
  /** Arguments are an object. */
  type: "object";
  /** The arguments, by name. */
  properties: Record<string, { [keyword: string]: JsonValue }>;
  /** Those that must be there. */
  required: string[];
  /** Whatever else JSON Schema has. */
  [keyword: string]: unknown;
}
