/** Shows the call as code. */
import { type Args, type Choice, ROOT } from "./tools.ts";

/** The forms that a call can be shown in. */
export const FORMS = [
  "Deno",
  "Bun",
  "MCP",
  "OpenAI",
  "OpenAI Chat",
  "Anthropic",
  "Gemini",
  "AI SDK",
] as const;

/** Writes the call as a program, for a client of the MCP server, or as a model sends it through the API of a vendor. */
export function codeOf(
  form: typeof FORMS[number],
  choice: Choice,
  args: Args,
): string {
  // The etag is one of the files in this page.
  const { etag: _, ...others } = args;
  if (form === "MCP") return mcpOf(choice, others);
  if (form === "Deno" || form === "Bun") {
    return programOf(form === "Deno", choice, others);
  }
  return JSON.stringify(callOf[form](choice.toolName, others), null, 2);
}

/** What a model's call looks like in each API. */
const callOf = {
  "OpenAI": (name: string, args: Args) => ({
    type: "function_call",
    call_id: "call_1",
    name,
    arguments: JSON.stringify(args),
  }),
  "OpenAI Chat": (name: string, args: Args) => ({
    id: "call_1",
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }),
  "Anthropic": (name: string, args: Args) => ({
    type: "tool_use",
    id: "toolu_1",
    name,
    input: args,
  }),
  "Gemini": (name: string, args: Args) => ({ functionCall: { name, args } }),
  "AI SDK": (name: string, args: Args) => ({
    type: "tool-call",
    toolCallId: "call_1",
    toolName: name,
    input: args,
  }),
};

function programOf(
  isDeno: boolean,
  { maker, code }: Choice,
  args: Args,
): string {
  const name = "@agent-tools/read-file";
  const from = isDeno ? `jsr:${name}@^0.2` : name;
  const [, variable = ""] = /(\w+)\]? = /.exec(code) ?? [];
  return [
    `import { ${
      [maker, "openWorkspace", "respond"].toSorted().join(", ")
    } } from "${from}";`,
    "",
    `const workspace = await openWorkspace("${ROOT}");`,
    code,
    `const { text } = await respond(${variable}, ${literal(args)});`,
    "console.log(text);",
  ].join("\n");
}

function mcpOf({ dialect, toolName }: Choice, args: Args): string {
  const words = dialect === null ? "" : `--dialect ${dialect} `;
  const start = "deno run --no-config --no-lock --node-modules-dir=none \\\n" +
    `  --allow-read=${ROOT} jsr:@agent-tools/read-file-mcp@0.2.0 ${words}${ROOT}`;
  const params = { name: toolName, arguments: args };
  const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return `${start}\n\n${JSON.stringify(request, null, 2)}`;
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}
