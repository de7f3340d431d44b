/** The part of the simulated model that decides on the next call, for any protocol. */

/** A call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether it is a tool of the agent, and not of the server. */
  readonly isOwn?: boolean;
}

/** A call, and the text in the model's context after it. */
export interface Seen extends ToolCall {
  readonly result: string;
  /** The original text, if an agent shows it as JSON. */
  readonly literal?: string;
}

/** What agents say about a tool whose server has not started yet. */
const NOT_YET = /No such tool available|still connecting/;

/** Text in a result that names the next call. */
const NEXT = /Next: (\w+) (?:with the same \w+(?: and )?)?(\{.*\})/g;

/** An image in a request: base64 that begins like a PNG, JPEG, GIF or WebP. */
const IMAGE = /(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)[A-Za-z0-9+/]*={0,2}/g;

/** A model that makes some calls, and then every next call that a result names. */
export class FollowingModel {
  readonly #first: readonly ToolCall[];
  readonly #most: number;
  /** The results that the agent has shown so far, in the order of the calls. */
  seen: readonly Seen[] = [];
  /** The tools that the agent offered. */
  readonly offered = new Set<string>();
  /** The images that it received, as base64. */
  readonly images = new Set<string>();
  /** How often it has waited for a server. */
  waits = 0;

  /**
   * @param first The first calls.
   * @param most The largest number of calls.
   */
  constructor(first: readonly ToolCall[], most: number) {
    this.#first = first;
    this.#most = most;
  }

  /** Collects the images in a request, for any protocol. */
  look(request: string): void {
    for (const [base64] of request.matchAll(IMAGE)) this.images.add(base64);
  }

  /** The next call after a conversation; `null` at the end. */
  next(history: readonly Seen[]): ToolCall | null {
    // Some agents drop old calls or results from later requests, so keep all that was shown.
    const dropped = this.#droppedFrom(history);
    this.seen = [
      ...this.seen.slice(0, dropped),
      ...history.map((call, at) => {
        const known = this.seen[dropped + at];
        return known?.result ? known : call;
      }),
    ];
    // Call a starting server again, as agents advise.
    const answered = this.seen.filter(({ result }) => !NOT_YET.test(result));
    if (
      answered.length >= this.#most || this.seen.length >= 2 * this.#most
    ) {
      return null;
    }
    const calls = [
      ...this.#first,
      ...answered.flatMap(({ args, result }) => callsIn(result, args)),
    ];
    return calls[answered.length] ?? null;
  }

  /** How many of the oldest calls a conversation lacks. */
  #droppedFrom([oldest]: readonly Seen[]): number {
    const key = (call: Seen | undefined) => JSON.stringify(call?.args);
    const found = this.seen.findIndex((call) => key(call) === key(oldest));
    return Math.max(found, 0);
  }

  /** The agent's name for the tool of a call. */
  nameOf({ name: tool, isOwn }: ToolCall): string | undefined {
    if (isOwn) return this.offered.has(tool) ? tool : undefined;
    // `read_file` may be the agent's own tool; most agents add the server's name to its tools.
    const names = [...this.offered].filter((name) => name.endsWith(tool));
    return names.find((name) =>
      /read[-_]?file/.test(name.slice(0, -tool.length))
    ) ?? names.find((name) => name === tool);
  }
}

/** The next calls that a result names. */
function callsIn(text: string, { path }: ToolCall["args"]): ToolCall[] {
  return Array.from(text.matchAll(NEXT), ([, name, json]) => {
    try {
      const args = JSON.parse(json!);
      const same = path === undefined || name !== "read_file" ? {} : { path };
      return { name: name!, args: { ...same, ...args } };
    } catch {
      // A model could not make a call that was cut.
      return undefined;
    }
  }).filter((call) => call !== undefined);
}

/** A JSON value with unknown properties. */
export type Loose = Readonly<Record<string, unknown>>;

/** The value as an object; empty for any other value. */
export function objectOf(value: unknown): Loose {
  return Object(value) as Loose;
}

/** The value as a list of objects. */
export function listOf(value: unknown): readonly Loose[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** The arguments of a call, from an object or from JSON text. */
export function argsOf(value: unknown): Loose {
  try {
    return objectOf(typeof value === "string" ? JSON.parse(value) : value);
  } catch {
    return {};
  }
}

/** The text of a result, in any protocol. */
export function textOf(value: unknown): string {
  if (typeof value === "string") {
    // Cline and Continue show JSON, whose escapes a model understands.
    const parsed = argsOf(value);
    const content = Array.isArray(parsed) ? parsed : parsed.content;
    return Array.isArray(content) ? textOf(content) : value;
  }
  if (Array.isArray(value)) {
    return value.map((part) =>
      typeof part === "string"
        ? part
        : objectOf(part).text ?? JSON.stringify(part)
    ).join("\n");
  }
  const { output, error } = objectOf(value);
  const inner = output ?? error;
  return inner === undefined ? JSON.stringify(value) : textOf(inner);
}
