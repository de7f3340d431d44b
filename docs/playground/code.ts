/** Shows the call as code. */
import { type Args, type Choice, ROOT } from "./tools.ts";

/** Writes the call for a runtime, or for a client of the MCP server. */
export function codeOf(language: string, choice: Choice, args: Args): string {
  return language === "mcp"
    ? mcpOf(choice, args)
    : programOf(language === "deno", choice, args);
}

function programOf(isDeno: boolean, { maker }: Choice, args: Args): string {
  const name = "@agent-tools/read-file";
  const from = isDeno ? `jsr:${name}@^0.2` : name;
  const { path, ...options } = args;
  const lines = maker === null
    ? [
      `import { openWorkspace, renderPage } from "${from}";`,
      "",
      `const workspace = await openWorkspace("${ROOT}");`,
      `const page = await workspace.read(${literal(path)}, ${
        literal(options)
      });`,
      "console.log(renderPage(page));",
    ]
    : [
      `import { ${maker}, openWorkspace, respond } from "${from}";`,
      "",
      `const workspace = await openWorkspace("${ROOT}");`,
      `const tool = ${maker}(workspace);`,
      `const { content } = await respond(tool, ${literal(args)});`,
      "console.log(content);",
    ];
  return lines.join("\n");
}

/** The server lacks these options: it has `maxChars` and `column` instead. */
const NOT_SERVED = ["maxBytes", "width"];

function mcpOf({ dialect, toolName }: Choice, args: Args): string {
  const words = dialect === null ? "" : `--dialect ${dialect} `;
  const start = "deno run --no-config --no-lock --node-modules-dir=none \\\n" +
    `  --allow-read=${ROOT} jsr:@agent-tools/read-file-mcp@0.2.0 ${words}${ROOT}`;
  const served = Object.entries(args)
    .filter(([name]) => dialect !== null || !NOT_SERVED.includes(name));
  const params = { name: toolName, arguments: Object.fromEntries(served) };
  const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return `${start}\n\n${JSON.stringify(request, null, 2)}`;
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}
