// Types of @std/toml.

export function parse(text: string): Record<string, unknown>;
export function stringify(
  table: Record<string, unknown>,
  options?: { keyAlignment?: boolean },
): string;
