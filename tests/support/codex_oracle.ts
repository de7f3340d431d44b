/** The expected answers of the codex tool, by a simple implementation on the whole file. */

/** The arguments of a valid call. */
export interface OracleCall {
  readonly limit: number;
  readonly anchor: number;
  readonly levels: number;
  readonly siblings: boolean;
  readonly header: boolean;
  readonly maxLines: number;
}

interface OracleLine {
  readonly number: number;
  readonly text: string;
  readonly indent: number;
  readonly blank: boolean;
  readonly comment: boolean;
}

/** The lines shown in indentation mode, in the original profile; `null` if the anchor is past the end. */
export function expectedBlock(file: string, call: OracleCall): string | null {
  const lines = takeApart(file);
  const at = call.anchor - 1;
  if (at >= lines.length) return null;
  const cap = Math.min(call.limit, call.maxLines, lines.length);
  const taken = cap === 1 ? [lines[at]!] : trim(walk(lines, at, cap, call));
  return taken.map(({ number, text }) => `L${number}: ${text.slice(0, 500)}`)
    .join("\n");
}

function takeApart(file: string): OracleLine[] {
  let above = 0;
  const texts = file.split("\n");
  if (texts.at(-1) === "") texts.pop();
  return texts.map((raw, index) => {
    const isLast = index === texts.length - 1 && !file.endsWith("\n");
    const text = isLast ? raw : raw.replace(/\r$/, "");
    const blank = /^\p{White_Space}*$/u.test(text);
    const [lead] = /^[ \t]*/.exec(text)!;
    if (!blank) above = lead.replaceAll("\t", "    ").length;
    const comment = /^\p{White_Space}*(#|\/\/|--)/u.test(text);
    return { number: index + 1, text, indent: above, blank, comment };
  });
}

function walk(
  lines: readonly OracleLine[],
  at: number,
  cap: number,
  { levels, siblings, header }: OracleCall,
): OracleLine[] {
  const floor = levels === 0 ? 0 : Math.max(0, lines[at]!.indent - 4 * levels);
  const held = [lines[at]!];
  let up = at - 1;
  let down = at + 1;
  let above = 0;
  let below = 0;
  while (held.length < cap) {
    const before = held.length;
    const upper = lines[up--];
    if (upper !== undefined) {
      const atFloor = upper.indent === floor && !siblings;
      const free = (header && upper.comment) || above === 0;
      if (upper.indent < floor || (atFloor && !free)) up = -1;
      else held.unshift(upper);
      if (atFloor) above++;
    }
    if (held.length === cap) break;
    const lower = lines[down++];
    if (lower !== undefined) {
      const atFloor = lower.indent === floor && !siblings;
      const closed = lower.indent < floor || (atFloor && below > 0);
      if (closed) down = lines.length;
      else held.push(lower);
      if (atFloor) below++;
    }
    if (held.length === before) break;
  }
  return held;
}

function trim(lines: readonly OracleLine[]): readonly OracleLine[] {
  const first = lines.findIndex(({ blank }) => !blank);
  const last = lines.findLastIndex(({ blank }) => !blank);
  return first < 0 ? [] : lines.slice(first, last + 1);
}
