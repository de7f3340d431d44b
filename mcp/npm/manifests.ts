// What tells npm, the registry of MCP, and applications that install bundles about the server.
import server from "../deno.json" with { type: "json" };

/** The program, in one file. The packages that it loads only when needed are in files beside it. */
export const PROGRAM = "read-file-mcp.js";

/** The licences of the packages in these files. */
export const LICENCES = "LICENCES.txt";

const DESCRIPTION = "Reads files as exact, numbered lines, of any size";
const TITLE = "Read files";
const DIRECTORIES = "The directories that may be read";

/** The files with these facts, for a repository of GitHub such as `owner/name`. */
export function manifestsOf(
  repository: string,
): Readonly<Record<string, unknown>> {
  const { name, version, license } = server;
  const url = `https://github.com/${repository}`;
  // The registry lets only the owner of a repository use its name.
  const mcpName = `io.github.${repository}`;
  return {
    "package.json": {
      ...{ name, mcpName, version, license },
      description: `An MCP server. ${DESCRIPTION}`,
      type: "module",
      bin: { "read-file-mcp": PROGRAM },
      files: ["*.js", LICENCES],
      // npm refuses provenance if this is missing, or is not the repository of the
      // workflow.
      repository: { type: "git", url: `git+${url}.git`, directory: "mcp" },
      engines: { node: ">=20.16", bun: ">=1.4" },
      publishConfig: { access: "public", provenance: true },
    },
    // For the registry of MCP, which reads `mcpName` from the package on npm.
    "server.json": {
      $schema:
        "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      ...{ name: mcpName, title: TITLE, description: DESCRIPTION, version },
      repository: { url, source: "github", subfolder: "mcp" },
      packages: [{
        ...{ registryType: "npm", identifier: name, version },
        transport: { type: "stdio" },
        packageArguments: [{
          ...{ type: "positional", valueHint: "DIR", isRepeated: true },
          ...{ description: DIRECTORIES, format: "filepath", isRequired: true },
        }],
      }],
    },
    // For MCPB, the bundles that applications install.
    "manifest.json": {
      manifest_version: "0.3",
      ...{ name: "read-file", display_name: TITLE, version, license },
      description: DESCRIPTION,
      author: { name: "The authors of read-file" },
      repository: { type: "git", url },
      server: {
        type: "node",
        entry_point: PROGRAM,
        mcp_config: {
          command: "node",
          args: [`\${__dirname}/${PROGRAM}`, "${user_config.directories}"],
        },
      },
      tools: ["read_file", "read_files", "list_directory"].map((name) => ({
        name,
      })),
      user_config: {
        directories: {
          ...{ type: "directory", multiple: true, required: true },
          ...{ title: "Directories", description: DIRECTORIES },
        },
      },
      compatibility: { runtimes: { node: ">=20.16" } },
    },
  };
}
