/** The agents, and how each is told of the server: as `docs/agents.md` has it. */

/** A file of an agent's home. */
export type HomeFiles = Readonly<Record<string, string>>;

/** What starting an agent takes. */
export interface Start {
  /** The command of the server, and its arguments. */
  readonly server: readonly [string, ...string[]];
  /** Where the played model is. */
  readonly model: string;
  /** The home directory of the agent, an empty one. */
  readonly home: string;
}

/** How an agent is started. */
export interface Started {
  readonly files: HomeFiles;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly [string, ...string[]];
}

/** An agent that can be run. */
export interface Agent {
  /** Its package on npm. */
  readonly package: string;
  /** What it is started with. */
  start(start: Start): Started;
}

/** What the agent is asked; the played model does not read it. */
const PROMPT = "read";

const json = (value: unknown) => JSON.stringify(value, null, 2);

export const AGENTS: Readonly<Record<string, Agent>> = {
  claude: {
    package: "@anthropic-ai/claude-code",
    start: ({ server: [command, ...args], model, home }) => ({
      files: {
        "mcp.json": json({ mcpServers: { "read-file": { command, args } } }),
      },
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: "played",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      command: [
        ...["claude", "-p", PROMPT, "--strict-mcp-config"] as const,
        ...["--mcp-config", `${home}/mcp.json`],
        ...["--allowedTools", "mcp__read-file"],
      ],
    }),
  },
  codex: {
    package: "@openai/codex",
    start: ({ server: [command, ...args], model }) => ({
      files: {
        ".codex/config.toml": [
          'model = "gpt-5.1-codex"',
          'model_provider = "played"',
          'approval_policy = "never"',
          'sandbox_mode = "read-only"',
          "[model_providers.played]",
          'name = "played"',
          `base_url = ${JSON.stringify(`${model}/v1`)}`,
          'wire_api = "responses"',
          'env_key = "PLAYED_KEY"',
          "[mcp_servers.read-file]",
          `command = ${JSON.stringify(command)}`,
          `args = ${JSON.stringify(args)}`,
          "startup_timeout_sec = 60",
          "",
        ].join("\n"),
      },
      env: { PLAYED_KEY: "played" },
      command: ["codex", "exec", "--skip-git-repo-check", PROMPT],
    }),
  },
  gemini: {
    package: "@google/gemini-cli",
    start: ({ server: [command, ...args], model }) => ({
      files: {
        ".gemini/settings.json": json({
          mcpServers: { "read-file": { command, args, trust: true } },
          security: { auth: { selectedType: "gemini-api-key" } },
          privacy: { usageStatisticsEnabled: false },
        }),
      },
      env: {
        GEMINI_API_KEY: "played",
        GOOGLE_GEMINI_BASE_URL: model,
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      },
      command: ["gemini", "-m", "gemini-2.5-pro", "-y", "-p", PROMPT],
    }),
  },
  qwen: {
    package: "@qwen-code/qwen-code",
    start: ({ server: [command, ...args], model }) => ({
      files: {
        ".qwen/settings.json": json({
          mcpServers: { "read-file": { command, args, trust: true } },
        }),
      },
      env: {
        OPENAI_API_KEY: "played",
        OPENAI_BASE_URL: `${model}/v1`,
        OPENAI_MODEL: "played",
      },
      command: ["qwen", "--auth-type", "openai", "-y", "-p", PROMPT],
    }),
  },
  opencode: {
    package: "opencode-ai",
    start: ({ server, model }) => ({
      files: {
        ".config/opencode/opencode.json": json({
          mcp: { "read-file": { type: "local", command: server } },
          provider: {
            played: {
              npm: "@ai-sdk/openai-compatible",
              name: "played",
              options: { baseURL: `${model}/v1`, apiKey: "played" },
              models: {
                played: {
                  name: "played",
                  tool_call: true,
                  limit: { context: 200_000, output: 8000 },
                },
              },
            },
          },
        }),
      },
      env: {},
      command: ["opencode", "run", "-m", "played/played", PROMPT],
    }),
  },
};
