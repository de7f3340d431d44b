/** Additional attacks: cases that the corpus lacks, and the edges of the limits. */
import type { AttackRow } from "./attacks.ts";

type Own = readonly [
  id: string,
  note: string,
  setup: readonly string[],
  input: unknown,
  expect: string,
];

/** `count` links: each to the previous one, the first to the file. */
function chain(count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => `l ws/c${i} -> ${i === 0 ? "file.txt" : `c${i - 1}`}`,
  );
}

const ROWS: readonly Own[] = [
  [
    "OWN-01",
    "the largest number of links that is followed",
    chain(40),
    "c39",
    "ok:INSIDE",
  ],
  ["OWN-02", "one link too many", chain(41), "c40", "symlink_loop"],
  [
    "OWN-03",
    "a target with U+FFFD, which may stand for invalid UTF-8",
    ["f ws/rep\ufffd.txt=REPL", "l ws/l -> rep\ufffd.txt"],
    "l",
    "invalid_path",
  ],
  ["OWN-04", "4096 bytes", [], "./".repeat(2044) + "file.txt", "ok:INSIDE"],
  ["OWN-05", "4098 bytes", [], "./".repeat(2045) + "file.txt", "invalid_path"],
  ["OWN-06", "a name of 255 bytes", [], "a".repeat(255), "not_found"],
  [
    "OWN-07",
    "128 letters, 256 bytes",
    [],
    "\u00e9".repeat(128),
    "invalid_path",
  ],
  [
    "OWN-08",
    "an absolute link that uses the given name of the root",
    ["l wslink -> ws", "root wslink", "l ws/l -> $T/wslink/file.txt"],
    "l",
    "ok:INSIDE",
  ],
  [
    "OWN-09",
    "an absolute link that leaves the root and returns",
    ["l ws/l -> $T/ws/../ws/file.txt"],
    "l",
    "outside_workspace",
  ],
  ["OWN-10", "an object that cannot become a string", [], {
    toString: 1,
    valueOf: 1,
  }, "invalid_path"],
  ["OWN-11", "a file used as a directory", [], "file.txt/.", "not_a_directory"],
  [
    "OWN-12",
    "a link to a file, used as a directory",
    ["l ws/l -> file.txt"],
    "l/",
    "not_a_directory",
  ],
  [
    "OWN-13",
    "a link target of 1600 steps",
    [
      "d ws/d",
      `l ws/l -> ${"d/../".repeat(800)}file.txt`,
    ],
    "l",
    "symlink_loop",
  ],
  [
    "OWN-14",
    "a FIFO used as a directory",
    ["p ws/p"],
    "p/x",
    "not_a_directory",
  ],
  [
    "OWN-15",
    "'..' after a file in a link target",
    [
      "l ws/l -> file.txt/../file.txt",
    ],
    "l",
    "not_a_directory",
  ],
  [
    "OWN-16",
    "an absolute link to a sibling whose name begins with the root's",
    [
      "l ws/l -> $T/ws-evil/secret.txt",
    ],
    "l",
    "outside_workspace",
  ],
  [
    "OWN-17",
    "a link to a missing file outside: refused like SYM-01",
    [
      "l ws/l -> ../outside/nope",
    ],
    "l",
    "outside_workspace",
  ],
  [
    "OWN-18",
    "a link that leaves the root after a missing name",
    [
      "l ws/l -> nope/../../outside/secret.txt",
    ],
    "l",
    "not_found",
  ],
  [
    "OWN-19",
    "an absolute link to the root",
    ["l ws/l -> $T/ws"],
    "l",
    "is_directory",
  ],
  [
    "OWN-20",
    "an absolute path that leaves the root and returns",
    [],
    "$T/ws/../ws/file.txt",
    "outside_workspace",
  ],
  [
    "OWN-21",
    "an absolute path to the root's parent",
    [],
    "$T",
    "outside_workspace",
  ],
  [
    "OWN-22",
    "an absolute path above the root of the file system",
    [],
    "/..",
    "outside_workspace",
  ],
  [
    "OWN-23",
    "links that each double the number of steps",
    [
      "l ws/e0 -> .",
      ...Array.from({ length: 12 }, (_, i) => `l ws/e${i + 1} -> e${i}/e${i}`),
    ],
    "e12/file.txt",
    "symlink_loop",
  ],
  [
    "OWN-24",
    "an absolute link in a directory below the root",
    [
      "l ws/dir/l -> $T/ws/file.txt",
    ],
    "dir/l",
    "ok:INSIDE",
  ],
  [
    "OWN-25",
    "the same from a deeper directory, through another folder",
    [],
    "$T/ws/dir/../../outside/../ws/file.txt",
    "outside_workspace",
  ],
  [
    "OWN-26",
    "the same with the given name of the root",
    ["l wslink -> ws", "root wslink"],
    "$T/wslink/../ws/file.txt",
    "outside_workspace",
  ],
  [
    "OWN-27",
    "an absolute path that enters the root once and stays inside",
    [],
    "$T/outside/../ws/dir/../file.txt",
    "ok:INSIDE",
  ],
  [
    "OWN-28",
    "an absolute link with '..' after a link, inside only as text",
    ["l ws/dl -> dir/sub", "l ws/l -> $T/ws/dl/../file.txt"],
    "l",
    "outside_workspace",
  ],
];

/** The rows in the format of the corpus. */
export const OWN_ROWS: readonly AttackRow[] = ROWS.map(
  ([id, note, setup, input, expect]) => (
    { id, note, setup, input, expect, plat: "posix" }
  ),
);
