/** Shows the call as code. */
import { type Args, type Choice, ROOT } from "./tools.ts";

/** Writes the call for a runtime, or for a client of the MCP server. */
export function codeOf(language: string, choice: Choice, args: Args): string {
  // The etag is one of the files in this page.
  const { etag: _, ...others } = args;
  return language === "mcp"
    ? mcpOf(choice, others)
    : programOf(language === "deno", choice, others);
}

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
