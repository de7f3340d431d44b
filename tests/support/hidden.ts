import { runAtOnce } from "../../src/core/base/call.ts";
import {
  type HiddenCharacter,
  HiddenReport,
} from "../../src/core/unicode/hidden.ts";
import type { PageLine } from "../../src/core/pages/page.ts";

/** Finds the hidden characters of lines; with `endsInside`, the last line continues on the next page. */
export function findHidden(
  lines: readonly PageLine[],
  { endsInside = false }: { readonly endsInside?: boolean } = {},
): HiddenCharacter[] {
  const report = new HiddenReport();
  for (const [index, line] of lines.entries()) {
    const isOpen = endsInside && index === lines.length - 1;
    const rest = report.add(line, isOpen);
    if (rest !== undefined) runAtOnce(rest);
  }
  return report.found;
}
