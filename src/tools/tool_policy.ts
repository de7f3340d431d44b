// Runtime-agnostic.
import { ReadFileError } from "../core/errors.ts";

/**
 * What a policy says to a call.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, type PolicyDecision } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const decide = (isTrusted: boolean): PolicyDecision => isTrusted ? "allow" : "deny";
 * const policy = { defaultPolicy: decide(false) };
 * const toolkit = await createAgentToolkit({ workspaceRoot: "/", fs: memoryFs({}), policy });
 * assertEquals(toolkit.definitions(), []);
 * ```
 */
export type PolicyDecision = "allow" | "deny";

/**
 * Which tools may be called; all of them by default.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, type ToolPolicy } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const policy: ToolPolicy = { defaultPolicy: "deny", tools: { open_file: "allow" } };
 * const fs = memoryFs({ "/repo/a.txt": "one" });
 * const toolkit = await createAgentToolkit({ workspaceRoot: "/repo", fs, policy });
 * assertEquals((await toolkit.openFile("a.txt")).status, "success");
 * assertEquals((await toolkit.readFile("a.txt")).status, "denied");
 * ```
 */
export interface ToolPolicy<Name extends string = string> {
  /** What is said to one tool, by its own name; this wins. */
  readonly tools?: { readonly [Tool in Name]?: PolicyDecision };
  /** What is said to every other tool; `"allow"` by default, as they only read. */
  readonly defaultPolicy?: PolicyDecision;
}

/** Throws `POLICY_DENIED` if the policy does not allow the tool. */
export function checkPolicy(
  policy: ToolPolicy | undefined,
  name: string,
  path: string,
): void {
  const rule = ruleAgainst(policy, name);
  if (rule === undefined) return;
  throw new ReadFileError("POLICY_DENIED", path, { rule });
}

/** The rule that denies the tool, if one does. */
export function ruleAgainst(
  policy: ToolPolicy | undefined,
  name: string,
): string | undefined {
  const { tools = {}, defaultPolicy = "allow" } = policy ?? {};
  const own = Object.hasOwn(tools, name);
  const decision = own ? tools[name] : defaultPolicy;
  // A word that is neither must not open what it was meant to close.
  if (decision === "allow") return undefined;
  return own ? `tools.${name}` : "defaultPolicy";
}
