// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";

/**
 * What a policy says to a call.
 */
export type PolicyDecision = "allow" | "deny";

/**
 * Which tools may be called; all of them by default.
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
