import { Call } from "./base/call.ts";
import { ownOf } from "./base/check.ts";
import { ReadFileError } from "./base/errors.ts";
import { quote } from "./base/words.ts";
import { findBelow } from "./guard/open.ts";
import { given, type ReadFields } from "./read_options.ts";
import { partsOf, type Workspace } from "./workspace.ts";

/** A path that names its lines too, as `a.ts:10-30,80-90` does; or one of the ways to read it. */
export interface Place {
  readonly path: string;
  /** The options that each part of the place means; one without options is the whole file. There is none if the text names no lines. */
  readonly parts: readonly ReadFields[];
  /** What is wrong with its lines: then no file is read. */
  readonly problem?: string;
}

/** Lines by their numbers: `5`, `5-9`, `5-9+2`, `5+2`, `5-` or `-20`. */
const RANGE = String
  .raw`(?:L?\d+(?:-L?\d+)?(?:\+\d+)?|L?\d+-|-\d+)`;
/** A pattern, and the lines to search: `/needle/i+3` or `5-9/needle/`. It runs to the last slash. */
const SEARCH = String.raw`(?:\d+-\d*)?\/.+\/i?(?:\+\d+)?`;

/** Several ranges, or a search after them. */
const RANGES = new RegExp(
  `^(?<path>.+):(?<parts>${RANGE}(?:,${RANGE})*)$`,
  "s",
);
const NUMBERED = new RegExp(`^${RANGE}(?:,${RANGE})*$`);
const PARTS = new RegExp(`^(?:${RANGE},)*${SEARCH}$`, "s");
/** As compilers write places. */
const POSITION = /^(?<path>.+):(?<line>\d+):(?<column>\d+)$/s;
/** As links to code do. */
const FRAGMENT =
  /^(?<path>.+)#L(?<first>\d+)(?:C\d+)?(?:-L?(?<last>\d+)(?:C\d+)?)?$/s;
/** A colon at the end only ends the path. */
const ENDED = /^(?<path>.+):$/s;

const FILE_URL = /^file:\/\/(?:localhost(?=\/))?(?<rest>[^]+)$/i;

/** A longer text is only a path. */
const MOST_CHARS = 8192;
/** How many colons of a text may begin a search. */
const MOST_SEARCHES = 8;
/** The most parts of a place. */
const MOST_PARTS = 50;
/** In a longer line, a column is where to begin. */
const LONG_COLUMN = 1000;

/**
 * Reads a place: `PATH`, or `PATH:PARTS` with parts such as `120`, `120-150`,
 * `120-`, `-20`, `120+10`, `120-150+2`, and at their end `/needle/`,
 * `/needle/i+3` or `120-150/needle/`, divided by commas. Also `PATH#L5-L9`,
 * `PATH:5:3`, a `file:` URL, and backslashes.
 *
 * Returns all ways to read the text: first as the name of a file, then with
 * shorter and shorter paths. The first one whose file exists is meant, and if
 * none exists, the last one.
 */
export function placesOf(text: string): readonly Place[] {
  if (text.length > MOST_CHARS || !/[:#\\]/.test(text)) {
    return [wholeName(text)];
  }
  const url = FILE_URL.exec(text)?.groups?.rest;
  const places = readingsOf(text);
  if (url !== undefined) places.push(...readingsOf(pathOfUrl(url)));
  const last = places.at(-1)!;
  if (!last.path.includes("\\")) return places;
  return [...places, { ...last, path: last.path.replaceAll("\\", "/") }];
}

/** The ways to read a text that is no URL. */
function readingsOf(text: string): Place[] {
  const places = [...ended(text), ...ranges(text), ...searches(text)]
    .sort((one, other) => other.path.length - one.path.length);
  const known = [wholeName(text), ...places];
  const wrong = misnamed(text, known);
  // The last one is meant if no file exists, so it says that nothing is there.
  return wrong.length === 0 ? known : [...known, ...wrong, known.at(-1)!];
}

/** The files whose lines a text may name in the words of other tools, each with the place that was probably meant. */
function misnamed(text: string, known: readonly Place[]): readonly Place[] {
  return [...text.matchAll(/(?<=.)[:#]/gs)].slice(0, MOST_SEARCHES)
    .map(({ index }) => [text.slice(0, index), text.slice(index + 1)] as const)
    .filter(([path, rest]) =>
      rest !== "" && known.every((place) => place.path !== path)
    )
    .map(([path, rest]) => {
      const meant = meantBy(rest);
      const place = NUMBERED.test(meant)
        ? placeOf(path, meant.split(","))
        : PARTS.test(meant)
        ? placeOf(path, dividedParts(meant))
        : undefined;
      const shown = quote(place === undefined ? path : `${path}:${meant}`);
      const problem = place && ownOf(place).problem ||
        `${quote(rest)} names no lines; did you mean ${shown}?`;
      return { path, parts: [], problem };
    });
}

/** The lines that a text probably means: `10..20`, `10,+5`, `/TODO`, `-5-`, `parse`; or an unknown text. */
function meantBy(text: string): string {
  const search = /^\/(?<match>.+?)(?:\/(?<flags>[a-z]*),?(?<margin>\+\d+)?)?$/s
    .exec(text)?.groups;
  if (search !== undefined) {
    const { match = "", flags = "", margin = "" } = search;
    // Lines after a search are no part of the pattern.
    if (/\/[-+,;\d$]*$/.test(match)) return text;
    return `/${match}/${flags.includes("i") ? "i" : ""}${margin}`;
  }
  if (/^[a-z_]\w{2,}$/i.test(text) && !/^l(?:ines?)?\d+$/i.test(text)) {
    return `/${text}/`;
  }
  return text.replace(/^\[(.*)\]$/s, "$1")
    .replace(/(\d)\s+(?=\d)/g, "$1-")
    .replace(/^lines?-?|\s|[,:]$/gi, "")
    // A column after the lines, or after each.
    .replace(/^(\d+-\d+):\d+$/, "$1")
    .replace(/^(\d+):\d+-(\d+):\d+$/, "$1-$2")
    .replace(/^:+/, "")
    .replace(/^(?:\.\.+|to)(?=\d)/, "1-")
    .replace(/\p{Pd}|\.\.+|[:;]|to/gu, "-")
    .replace(/^(\d+),(\d+)p$/, "$1-$2")
    .replace(/^(\d+),\$p?$/, "$1-")
    .replace(
      /^(\d+),\+(\d+)$/,
      (_, first, more) => `${first}-${Number(first) + Number(more)}`,
    )
    .replace(/^(\d+)-(?:\$|end|-1)$/i, "$1-")
    .replace(/^\+(\d+)$/, "$1-")
    .replace(/^(-\d+)-.*$/, "$1")
    .replace(/^\$$/, "-1");
}

/** A whole file. */
function wholeName(path: string): Place {
  return { path, parts: [{}] };
}

/** The path of a `file:` URL after its host. */
function pathOfUrl(rest: string): string {
  // On Windows, the drive follows the slash.
  const path = rest.replace(/^\/(?=[a-z]:\/)/i, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function ended(text: string): readonly Place[] {
  const path = ENDED.exec(text)?.groups?.path;
  return path === undefined ? [] : [wholeName(path)];
}

function ranges(text: string): readonly Place[] {
  const places: Place[] = [];
  const range = RANGES.exec(text)?.groups;
  if (range !== undefined) {
    places.push(placeOf(range.path!, range.parts!.split(",")));
  }
  const position = POSITION.exec(text)?.groups;
  if (position !== undefined) {
    const { path = "", line = "" } = position;
    const place = placeOf(path, [line]);
    const column = Number(position.column);
    const isLong = column > LONG_COLUMN && Number.isSafeInteger(column);
    const parts = place.parts.map((part) =>
      isLong ? { ...part, column } : part
    );
    places.push({ ...place, parts });
  }
  const fragment = FRAGMENT.exec(text)?.groups;
  if (fragment !== undefined) {
    const { path = "", first = "", last } = fragment;
    const range = last === undefined ? first : `${first}-${last}`;
    places.push(placeOf(path, [range]));
  }
  return places;
}

/** The searches in a text; the path ends before any of its first colons. */
function searches(text: string): readonly Place[] {
  if (!/\/i?(?:\+\d+)?$/.test(text)) return [];
  const places: Place[] = [];
  for (let at = text.indexOf(":", 1); at > 0; at = text.indexOf(":", at + 1)) {
    const rest = text.slice(at + 1);
    // Cheap to find out, so that a text of many colons takes no longer.
    if (!/^(?:[L\d,+-]*)\/./s.test(rest) || !PARTS.test(rest)) continue;
    places.push(placeOf(text.slice(0, at), dividedParts(rest)));
    if (places.length === MOST_SEARCHES) break;
  }
  return places;
}

/** Divides parts at their commas, but for those of a search. */
function dividedParts(text: string): readonly string[] {
  const [before = ""] = /^[^/]*/.exec(text)!;
  const comma = before.lastIndexOf(",") + 1;
  const parts = before.slice(0, comma).split(",").slice(0, -1);
  return [...parts, text.slice(comma)];
}

function placeOf(path: string, parts: readonly string[]): Place {
  const read = parts.map(parsePart);
  const problem = parts.length > MOST_PARTS
    ? `it names more than ${MOST_PARTS} parts; name fewer`
    : read.find((part) => typeof part === "string");
  if (typeof problem === "string") return { ...wholeName(path), problem };
  return { path, parts: read as ReadFields[] };
}

const PART =
  /^(?:L?(?<first>\d+)(?:(?<dash>-)L?(?<last>\d+)?)?|-(?<tail>\d+))?(?:\/(?<match>.+)\/(?<ignoreCase>i)?)?(?:\+(?<margin>\d+))?$/s;

/** The options that a part means, or what is wrong with it. */
function parsePart(text: string): ReadFields | string {
  const words = PART.exec(text)!.groups!;
  const { first, dash, last, match } = words;
  const numbers = [first, last, words.tail].flatMap((digits) =>
    digits === undefined ? [] : [Number(digits)]
  );
  if (numbers.includes(0)) {
    return "lines are counted from 1; name one from there on";
  }
  const margin = Number(words.margin ?? 0);
  if (![...numbers, margin].every(Number.isSafeInteger)) {
    return "no file has so many lines; name a smaller number";
  }
  const [start, end] = [parseNumber(first), parseNumber(last)];
  if (start !== undefined && end !== undefined && end < start) {
    return `line ${start} comes after line ${end}; turn them round`;
  }
  // For a search, `+0` is the default.
  const hasMargin = words.margin !== undefined &&
    (match === undefined || margin > 0);
  const around = hasMargin ? { before: margin, after: margin } : {};
  if (match !== undefined) {
    const ignoreCase = words.ignoreCase === undefined ? undefined : true;
    return given({ start, end, match, regex: true, ignoreCase, ...around });
  }
  // Only `120` and `120+10` are one line.
  const isOneLine = start !== undefined && dash === undefined;
  if (!isOneLine) {
    return given({ start, end, tail: parseNumber(words.tail), ...around });
  }
  return given(
    hasMargin ? { around: start, ...around } : { start, end: start },
  );
}

function parseNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

/** Writes the parts of a place that later reads it: numbered lines, or a search in them. */
export function writePlace(
  path: string,
  parts: readonly ReadFields[],
): string {
  return `${path}:${parts.map(writePart).join(",")}`;
}

function writePart(
  { start = 1, end, tail, around, match, ignoreCase, before = 0 }: ReadFields,
): string {
  const margin = before > 0 ? `+${before}` : "";
  if (tail !== undefined) return `-${tail}`;
  if (around !== undefined) return `${around}+${before}`;
  const range = `${start}-${end ?? ""}`;
  if (match !== undefined) {
    return `${range}/${match}/${ignoreCase ? "i" : ""}${margin}`;
  }
  return start === end && margin === "" ? `${start}` : `${range}${margin}`;
}

/** Chooses the way to read a place: the first one whose file exists, or else the last one. */
export async function choosePlace(
  places: readonly Place[],
  exists: (path: string) => Promise<boolean>,
): Promise<Place> {
  for (const place of places.slice(0, -1)) {
    if (await exists(place.path)) return place;
  }
  return places.at(-1)!;
}

/** Whether a path names something: also what may not be read, so that the read says why. Nothing is opened. */
export async function isThere(
  workspace: Workspace,
  path: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { fs, root } = partsOf(workspace);
  const call = new Call(path, signal);
  try {
    await findBelow(fs, root, path, call);
    return true;
  } catch (error) {
    call.check();
    return error instanceof ReadFileError && !MISSING.has(error.code);
  }
}

/** The failures of a path that names nothing, or that cannot be a name. */
const MISSING = new Set(["NOT_FOUND", "INVALID_ARGUMENT", "OUTSIDE_WORKSPACE"]);

/** The failure of a place with a problem; `text` is the place as it was written. */
export function wrongPlace(text: string, problem: string): ReadFileError {
  const details = { argument: "path", problem };
  return new ReadFileError("INVALID_ARGUMENT", text, details, {
    words: {
      INVALID_ARGUMENT: () => [`Cannot read ${quote(text)}: ${problem}`],
    },
  });
}
