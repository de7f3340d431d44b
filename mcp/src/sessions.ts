// Runtime-agnostic.
import { createReadSession, type ReadSession } from "@agent-tools/read-file";
import { fits, type Size, sizeOf } from "./bounds.ts";
import type { FittedPage } from "./page_answer.ts";
import type { RootDirectory } from "./scope.ts";
import { linesIn, nextCall, pathOf, writeWords } from "./words.ts";
import { noteOf } from "./visible.ts";

export class Sessions {
  readonly #byPath = new Map<string, ReadSession>();

  of({ path, workspace }: RootDirectory): ReadSession {
    // With the option, the operator says that the client keeps what it was shown.
    const session = this.#byPath.get(path) ??
      createReadSession(workspace, { remember: true });
    this.#byPath.set(path, session);
    return session;
  }
}

/** Leaves out the lines that the connection was shown before; `refresh` shows all of them. */
export function withoutShown(
  fitted: FittedPage,
  session: ReadSession,
  refresh: boolean,
  bounds: Size,
): string {
  const { page, path, next, notes, text } = fitted;
  if (refresh) session.forget(page.path);
  const { kind, lines, times, kept } = session.answer(page);
  const loop = times < LOOP_TIMES
    ? []
    : [`these lines were asked for ${times} times, and are the same each time`];
  if (kind === "unchanged") {
    const head = `${pathOf(path)}: ${
      linesIn(kept)
    }, unchanged since an earlier answer showed them; this line stands for their text. ${REFRESH}`;
    const after = next === null ? [] : [nextCall("read_file", next)];
    return [head, ...[...notes, ...loop].map(noteOf), ...after].join("\n");
  }
  const left = kind === "page" ? [] : [
    `unchanged since an earlier answer, and left out: ${
      linesIn(kept)
    }. ${REFRESH}`,
  ];
  const words = writeWords({
    ...fitted,
    page: { ...page, lines },
    notes: [...notes, ...left, ...loop],
  });
  return fits(sizeOf(words.text), bounds) ? words.text : text;
}

/** After how many equal answers the text says that the caller may be in a loop. */
const LOOP_TIMES = 3;

const REFRESH = 'If they are not above, send "refresh": true.';
