/** The agents, and how each is started with its settings from `docs/agents.md`. */

import type { OwnRead } from "./own_read.ts";

/** The inputs for starting an agent. */
export interface Start {
  /** The URL of the simulated model. */
  readonly model: string;
  /** The empty home directory of the agent. */
  readonly home: string;
}

/** How an agent is started. */
export interface Started {
  /** Files in its home directory, with their content. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly command: readonly [string, ...string[]];
}

/** An agent that can be run. */
export interface Agent {
  /** Its npm package. */
  readonly package: string;
  /** Whether the package has all that it needs, so that its dependencies are not installed. */
  readonly isBundle?: boolean;
  /** Its name in the tables of `docs/agents.md`. */
  readonly title: string;
  /** Its settings file in its home directory; without one, the settings are a command. */
  readonly file?: string;
  /** The name of the cell that the agent always truncates; the README says so. */
  readonly leavesOut?: string;
  /** Its own tool that reads files; Codex reads with its shell. */
  readonly ownRead?: OwnRead;
  /** Connects it to the simulated model. */
  start(start: Start): Started;
}

/** The prompt; the simulated model ignores it. */
const PROMPT = "read the files";

const json = (value: unknown) => JSON.stringify(value, null, 2);

export const AGENTS: Readonly<Record<string, Agent>> = {
  claude: {
    package: "@anthropic-ai/claude-code",
    title: "Claude Code",
    ownRead: {
      name: "Read",
      off: "--disallowedTools Read",
      edits: false,
      edit: (path) => ({
        name: "Edit",
        args: { file_path: path, old_string: "one", new_string: "two" },
      }),
    },
    start: ({ model }) => ({
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: "played",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      command: ["claude", "-p", PROMPT, "--allowedTools", "mcp__read-file"],
    }),
  },
  codex: {
    package: "@openai/codex",
    title: "Codex",
    file: ".codex/config.toml",
    start: ({ model }) => ({
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
          "",
        ].join("\n"),
      },
      env: { PLAYED_KEY: "played" },
      command: ["codex", "exec", "--skip-git-repo-check", PROMPT],
    }),
  },
  gemini: {
    package: "@google/gemini-cli",
    title: "Gemini CLI",
    ownRead: {
      name: "read_file",
      file: ".gemini/settings.json",
      // By the name read_file, it would exclude the server's tool, too.
      off: '{ "tools": { "exclude": ["ReadFileTool"] } }',
      edits: true,
      edit: (path) => ({
        name: "replace",
        args: {
          file_path: path,
          instruction: "one becomes two",
          old_string: "one",
          new_string: "two",
        },
      }),
    },
    start: ({ model }) => ({
      files: {
        ".gemini/settings.json": json({
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
    title: "Qwen Code",
    ownRead: {
      name: "read_file",
      off: "--exclude-tools read_file",
      edits: false,
      edit: (path) => ({
        name: "edit",
        args: { file_path: path, old_string: "one", new_string: "two" },
      }),
    },
    start: ({ model }) => ({
      files: {
        // For other models, it withholds images.
        ".qwen/settings.json": json({
          model: { generationConfig: { modalities: { image: true } } },
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
    title: "opencode",
    ownRead: {
      name: "read",
      file: "opencode.json",
      off: '{ "permission": { "read": "deny" } }',
      edits: true,
      edit: (path) => ({
        name: "edit",
        args: { filePath: path, oldString: "one", newString: "two" },
      }),
    },
    start: ({ model }) => ({
      files: {
        ".config/opencode/opencode.json": json({
          provider: {
            played: {
              npm: "@ai-sdk/openai-compatible",
              name: "played",
              options: { baseURL: `${model}/v1`, apiKey: "played" },
              models: {
                played: {
                  name: "played",
                  tool_call: true,
                  attachment: true,
                  modalities: { input: ["text", "image"], output: ["text"] },
                  limit: { context: 200_000, output: 8000 },
                },
              },
            },
          },
        }),
      },
      command: ["opencode", "run", "-m", "played/played", PROMPT],
    }),
  },
  copilot: {
    package: "@github/copilot",
    title: "Copilot CLI",
    // With a model of another provider.
    leavesOut: "four images",
    ownRead: {
      name: "view",
      off: "--excluded-tools view --allow-tool write",
      edits: true,
      edit: (path) => ({
        name: "edit",
        args: { path, old_str: "one", new_str: "two" },
      }),
    },
    start: ({ model }) => ({
      env: {
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_PROVIDER_API_KEY: "played",
        COPILOT_PROVIDER_WIRE_MODEL: "played",
        // A model that the agent knows to support images.
        COPILOT_MODEL: "claude-sonnet-4.5",
        COPILOT_AUTO_UPDATE: "false",
        // For an unknown model, the agent compacts the conversation early.
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "1000000",
      },
      command: ["copilot", "-p", PROMPT, "--allow-tool", "read-file"],
    }),
  },
  cline: {
    package: "cline",
    title: "Cline CLI",
    ownRead: {
      name: "read_files",
      file: "~/.cline/data/settings/global-settings.json",
      off: '{ "disabledTools": ["read_files"] }',
      edits: true,
      edit: (path) => ({
        name: "editor",
        args: { path, old_text: "one", new_text: "two" },
      }),
    },
    start: ({ model }) => ({
      env: { PLAYED_URL: `${model}/v1` },
      command: [
        "sh",
        "-c",
        // The server may take more than 3 s to start from its source.
        `sed -i 's/"transport"/"timeout": 60, &/' ~/.cline/data/settings/cline_mcp_settings.json && cline auth -p openai -k played -m played -b "$PLAYED_URL" && exec cline "${PROMPT}" "$@"`,
        "cline",
      ],
    }),
  },
  continue: {
    package: "@continuedev/cli",
    title: "Continue",
    file: ".continue/config.yaml",
    ownRead: {
      name: "Read",
      off: "--exclude Read",
      edits: false,
      edit: (path) => ({
        name: "Edit",
        args: { file_path: path, old_string: "one", new_string: "two" },
      }),
    },
    start: ({ model, home }) => ({
      files: {
        ".continue/config.yaml": [
          "name: played",
          "version: 1.0.0",
          "schema: v1",
          "models:",
          "  - name: played",
          "    provider: openai",
          "    model: played",
          "    apiKey: played",
          `    apiBase: ${model}/v1`,
          "    capabilities: [tool_use, image_input]",
          "    defaultCompletionOptions:",
          "      contextLength: 1000000",
          "    roles: [chat]",
          "",
        ].join("\n"),
      },
      command: [
        ...["cn", "--config", `${home}/.continue/config.yaml`] as const,
        ...["--allow", "*", "-p", PROMPT],
      ],
    }),
  },
  kimi: {
    package: "@moonshot-ai/kimi-code",
    title: "kimi",
    file: ".kimi-code/mcp.json",
    ownRead: {
      name: "Read",
      file: "~/.kimi-code/config.toml",
      off: '[tools]\ndisabled = ["Read"]\n',
      edits: true,
      edit: (path) => ({
        name: "Edit",
        args: { path, old_string: "one", new_string: "two" },
      }),
    },
    start: ({ model }) => ({
      files: {
        ".kimi-code/config.toml": [
          'default_model = "played"',
          "telemetry = false",
          "[providers.played]",
          'type = "openai"',
          `base_url = ${JSON.stringify(`${model}/v1`)}`,
          'api_key = "played"',
          "[models.played]",
          'provider = "played"',
          'model = "played"',
          "max_context_size = 1000000",
          'capabilities = ["image_in", "tool_use"]',
          "",
        ].join("\n"),
      },
      command: ["kimi", "-p", PROMPT],
    }),
  },
  pi: {
    package: "@earendil-works/pi-coding-agent",
    isBundle: true,
    title: "pi",
    ownRead: {
      name: "read",
      off: "--exclude-tools read",
      edits: true,
      edit: (path) => ({
        name: "edit",
        args: { path, edits: [{ oldText: "one", newText: "two" }] },
      }),
    },
    start: ({ model }) => ({
      files: {
        ".pi/agent/models.json": json({
          providers: {
            played: {
              baseUrl: `${model}/v1`,
              api: "openai-completions",
              apiKey: "played",
              models: [{
                id: "played",
                input: ["text", "image"],
                contextWindow: 1_000_000,
              }],
            },
          },
        }),
      },
      command: ["pi", "--print", "--model", "played/played", PROMPT],
    }),
  },
};
