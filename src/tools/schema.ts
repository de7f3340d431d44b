// Runtime-agnostic.
/** The part of JSON Schema that the tools use. */
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
  /** The schema of the elements of an array. */
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
  /** The value of an absent property. */
  readonly default?: string | number | boolean;
}

/** The schema of one argument. */
export function property(
  type: string,
  description: string,
  rest?: Partial<JsonSchema>,
): JsonSchema {
  return { type, ...rest, description };
}

/** The schema of an object whose first property is required. */
export function parametersOf(
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).slice(0, 1),
    additionalProperties: false,
  };
}
