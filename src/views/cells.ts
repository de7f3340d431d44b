import type { Steps } from "../core/base/call.ts";
import { isObject, type Json, ownOf } from "../core/base/check.ts";
import { CONTROLS } from "../core/base/words.ts";
import { mediaOf, tellMedia } from "../core/media/signatures.ts";
import { MAX_PART_VALUES, type NotebookPart } from "./cell_scanner.ts";

/** How many small values are looked at in a step. */
const STEP_VALUES = 500;

/** Writes a cell as text: its source, then its outputs, each below a line that names it. Takes steps, since a cell may have 100,000 of them. */
export function* tellCell(parsed: Json, number: number): Steps<string> {
  const cell = ownOf(parsed);
  const type = oneLine(yield* cellText(cell.cell_type)) || "unknown";
  const count = cell.execution_count;
  const run = Number.isInteger(count) ? `, run ${count}` : "";
  const source = showMarks(yield* cellText(cell.source));
  const parts = [part(`${number}: ${type}${run}`, source)];
  for (const [name, bundle] of entriesOf(cell.attachments)) {
    const shown = `${number} attachment ${oneLine(name)}`;
    yield* addBundle(parts, bundle, shown);
  }
  const outputs = Array.isArray(cell.outputs) ? cell.outputs : [];
  for (const output of outputs) {
    yield* addOutput(parts, ownOf(isObject(output) ? output : {}), number);
  }
  return parts.join("");
}

/** Writes the text for a cell that is too large to be shown. */
export function tellLargeCell(
  number: number,
  { bytes, hasManyValues }: NotebookPart,
): string {
  const why = hasManyValues
    ? `has more than ${MAX_PART_VALUES} values`
    : `takes ${bytes} bytes`;
  return part(`${number}: left out, since it ${why}`, "");
}

/** Writes a line that names a part, and its text, in which no line can look like such a name. */
function part(name: string, text: string): string {
  const shown = text.replace(/\r\n/g, "\n").replace(/^--- cell /gm, " $&");
  const end = shown === "" || shown.endsWith("\n") ? "" : "\n";
  return `--- cell ${name}\n${shown}${end}`;
}

function* addOutput(
  parts: string[],
  output: Json,
  number: number,
): Steps<void> {
  const kind = output.output_type;
  const name = `${number} output`;
  if (kind === "stream") {
    const isError = output.name === "stderr";
    const text = plain(yield* cellText(output.text));
    parts.push(part(isError ? `${name} on stderr` : name, text));
    yield;
    return;
  }
  if (kind === "error") {
    const lines = Array.isArray(output.traceback) ? output.traceback : [];
    const trace: string[] = [];
    for (const line of lines) {
      trace.push(plain(yield* cellText(line)));
      if (trace.length % STEP_VALUES === 0) yield;
    }
    const what = plain(yield* cellText(output.ename));
    const why = plain(yield* cellText(output.evalue));
    const shown = trace.join("\n") || `${what}: ${why}`;
    parts.push(part(`${number} error`, shown));
    yield;
    return;
  }
  yield* addBundle(parts, output.data, name);
}

/** The forms of an output that are text; the first one that exists is shown. */
const TEXTS = ["text/plain", "text/markdown", "text/latex", "application/json"];

/** The text of an output, and the types and sizes of its images; without a text, those of its other forms too. */
function* addBundle(
  parts: string[],
  bundle: unknown,
  name: string,
): Steps<void> {
  const forms = entriesOf(bundle);
  const types = new Set(forms.map(([type]) => type));
  const shown = TEXTS.find((type) => types.has(type));
  // An empty one is a step, too.
  yield;
  for (const [at, [type, form]] of forms.entries()) {
    if (at % STEP_VALUES === STEP_VALUES - 1) yield;
    const isText = typeof form === "string" || Array.isArray(form);
    if (type === shown) {
      const text = isText
        ? plain(yield* cellText(form))
        : showMarks(JSON.stringify(form));
      parts.push(part(name, text));
    } else if (type.startsWith("image/") && type !== "image/svg+xml") {
      parts.push(part(`${name}: ${tellImage(yield* cellText(form))}`, ""));
    } else if (shown === undefined || type.startsWith("image/")) {
      const { length } = isText
        ? yield* cellText(form)
        : JSON.stringify(form ?? null);
      parts.push(part(`${name}: ${oneLine(type)}, ${length} characters`, ""));
    }
  }
}

/** How many characters of an image are decoded to find its type and size. */
const HEAD_CHARS = 8192;

/** Writes the type of an image, by its bytes, and its size. */
function tellImage(base64: string): string {
  // A clipped text ends with a mark, the number of bytes left out, and a semicolon.
  const [kept = "", rest = "0"] = base64.split("\uFFFF");
  const dropped = parseInt(rest);
  const compact = kept.replace(/\s+/g, "");
  const [padding = ""] = /=*$/.exec(compact.slice(-2)) ?? [];
  const digits = compact.length - padding.length + dropped;
  const bytes = Math.floor(digits * 3 / 4);
  const about = dropped === 0 ? "" : "about ";
  const media = mediaOf(decode(compact.slice(0, HEAD_CHARS)));
  const what = media ? tellMedia(media) : "an image of an unknown kind";
  return `${what}, ${about}${bytes} bytes`;
}

/** Decodes base64; empty if it is not valid. */
function decode(base64: string): Uint8Array {
  try {
    return Uint8Array.from(
      atob(base64),
      (character) => character.charCodeAt(0),
    );
  } catch {
    return new Uint8Array(0);
  }
}

/** A text of a notebook, which may be a list of strings, with the number of bytes left out. */
function* cellText(value: unknown): Steps<string> {
  const text = Array.isArray(value) ? yield* joinedCells(value) : value;
  if (typeof text !== "string") return "";
  // Adjacent clipped strings get one number, since each may take a line.
  return text.replace(/(?:\uFFFF\d+;){2,}/g, (marks) => {
    const counts = marks.match(/\d+/g)!.map(Number);
    return `\uFFFF${counts.reduce((sum, count) => sum + count)};`;
  });
}

function* joinedCells(values: readonly unknown[]): Steps<string> {
  let text = "";
  for (const [at, value] of values.entries()) {
    if (at % STEP_VALUES === STEP_VALUES - 1) yield;
    text += stringOf(value);
  }
  return text;
}

/** A value of a list as a string; empty for an object that cannot be one, since it redefines `toString`. */
function stringOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "";
  }
}

// deno-lint-ignore no-control-regex -- It matches the control sequences of a terminal.
const STYLES = /\x1b\[[0-9;?]*[A-Za-z]/g;

/** The text of an output as a terminal shows it: without styles and overwritten text. */
function plain(raw: string): string {
  const text = showMarks(raw).replace(STYLES, "");
  // Most texts overwrite nothing: dividing them into lines would take memory.
  if (!text.includes("\r")) return text;
  // A regular expression for the last carriage return would take quadratic time.
  return text.replace(/\r\n/g, "\n").replace(
    /[^\n]{2,}/g,
    (line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1),
  );
}

/** Writes the mark of a clipped text as a line for the reader. */
function showMarks(text: string): string {
  return text.replace(/\uFFFF(\d+);/g, "\n[$1 more bytes are left out]\n");
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Removes line breaks and controls, for a line that names a part; cuts a long one between two characters. */
export function oneLine(text: string): string {
  const cut = text.length > 100 && text.codePointAt(99)! > 0xffff ? 99 : 100;
  return text.slice(0, cut).replace(CONTROL, " ");
}

const CONTROL = new RegExp(`[${CONTROLS}]`, "gu");
