// Runtime-agnostic.
import { globToRegExp } from "@std/path/posix/glob-to-regexp";
import type { Call } from "./call.ts";
import { ReadFileError } from "./errors.ts";
import { isWithin } from "./path.ts";

/**
 * How a denied path is refused.
 *
 * - `"refuse"`: with `POLICY_DENIED`, which names the rule.
 * - `"hide"`: with `NOT_FOUND`, as if nothing were there.
 */
export type DenyMode = "refuse" | "hide";

/** Which paths below a directory may not be read. */
export interface DenyRules {
  /** The directory that the rules' paths start from. */
  readonly base: string;
  /** How a denied path is refused. */
  readonly mode: DenyMode;
  /** The rules in order; the last one that matches a path decides. */
  readonly rules: readonly DenyRule[];
}

/** One glob. */
export interface DenyRule {
  /** The glob as it was given. */
  readonly glob: string;
  readonly pattern: RegExp;
  /** Whether it makes an exception of what it matches. */
  readonly allows: boolean;
}

/** Reads the globs of a policy; throws a `TypeError` at one that is none. */
export function readDenyRules(
  base: string,
  globs: readonly string[],
  mode: DenyMode,
): DenyRules {
  if (mode !== "refuse" && mode !== "hide") {
    throw new TypeError(
      `Cannot deny paths: the mode is ${
        JSON.stringify(mode)
      }, neither "refuse" nor "hide"`,
    );
  }
  return { base, mode, rules: globs.map(readRule) };
}

function readRule(glob: string): DenyRule {
  const allows = typeof glob === "string" && glob.startsWith("!");
  const trimmed = String(glob).slice(allows ? 1 : 0)
    .replace(/^(\.?\/)+/, "").replace(/\/+$/, "");
  if (typeof glob !== "string" || trimmed === "") {
    throw new TypeError(
      `Cannot deny paths: ${
        JSON.stringify(glob)
      } is no glob that matches a path below the root`,
    );
  }
  // Some disks take .ENV for .env: a rule must hold there too.
  const pattern = globToRegExp(trimmed, { caseInsensitive: true });
  return { glob, pattern, allows };
}

/** Throws if any of the rules denies `path`; asked before the path is looked at. */
export function refuseDenied(
  sets: readonly DenyRules[],
  path: string,
  call: Call,
): void {
  for (const { base, mode, rules } of sets) {
    if (rules.length === 0 || path === base || !isWithin(base, path)) continue;
    const below = path.slice(base === "/" ? 1 : base.length + 1);
    const rule = rules.findLast(({ pattern }) => pattern.test(below));
    if (rule === undefined || rule.allows) continue;
    if (mode === "hide") {
      throw new ReadFileError("NOT_FOUND", call.path, { reason: "missing" });
    }
    throw new ReadFileError("POLICY_DENIED", call.path, { rule: rule.glob });
  }
}
