/** The calls of this server that stand for the tools of the suite's own example server. */

type Json = Readonly<Record<string, unknown>>;

/** The file whose reads take long. */
export const SLOW_FILE = "slow.txt";

/** A tool of the suite whose answer depends on the roots of the client. */
const IN_ROOTS = "test_input_required_result_list_roots";

/** The name of a tool of the suite, and what is called instead. */
const ALIASES: Readonly<Record<string, Json>> = {
  test_simple_text: { path: "a.txt" },
  test_image_content: { path: "pic.png" },
  test_error_handling: { path: "missing.txt" },
  test_tool_with_progress: { path: SLOW_FILE, match: "nowhere" },
  [IN_ROOTS]: { path: "a.txt" },
};

/** The message with this server's tool in place of the suite's. */
export function aliasOf(message: Json): Json {
  const params = Object(message.params);
  const args = message.method === "tools/call"
    ? Object.hasOwn(ALIASES, params.name) && ALIASES[params.name]
    : undefined;
  return args
    ? { ...message, params: { ...params, name: "read_file", arguments: args } }
    : message;
}

/** Whether a message calls for a server that follows the client's roots. */
export function needsRoots({ params }: Json): boolean {
  return Object(params).name === IN_ROOTS;
}
