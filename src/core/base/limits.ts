// Runtime-agnostic.

/** The longest path that is looked at, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 4096;

/** The longest name between two slashes, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255;

/** How many names deep a path may lead below the root. */
export const MAX_DEPTH = 256;

/** How many symbolic links one path may lead through. */
export const MAX_LINKS = 40;

/** How many steps links may add to one walk down from the root. */
export const MAX_STEPS = 1024;

/** How sure a challenge is where the system cannot name an open file: an escape passes with 2^-32. */
export const PROOF_BITS = 32;

/** How many files of a root are remembered as proved to lie inside. */
export const MAX_PROVED_FILES = 4096;

/** How many paths of a root are known to have led to a file without a link. */
export const MAX_STRAIGHT_PATHS = 4096;

/** How often a path that changed under the walk is tried again. */
export const OPEN_RETRIES = 3;

/** The most bytes that are shown at once: what runtimes take for a string. */
export const MAX_SHOWN_BYTES = 256 * 1024 * 1024;

/** How many files are read at a time: shells give a process 256 open files or more. */
export const MAX_OPEN_FILES = 64;

/** How much of a file is asked for at first; most files fit. */
export const FIRST_CHUNK_BYTES = 64 * 1024;

/** How much of a file is asked for at a time in a long scan. */
export const CHUNK_BYTES = 256 * 1024;

/** How much of a larger file is held at a time: what was scanned need not be read again. */
export const BUFFER_BYTES = 1024 * 1024;

/** Where the signs of a binary file are looked for. */
export const SNIFF_BYTES = 8192;

/** How long a scan may keep the event loop to itself, in milliseconds. */
export const TURN_MS = 8;

/** How much memory the line indexes of a workspace take. */
export const MAX_INDEX_BYTES = 4 * 1024 * 1024;

/** The least that is asked for at a time where little is wanted. */
export const LEAST_CHUNK_BYTES = 512;

/** How coarse a file's times may be: two changes within it may leave the same ones. */
export const CLOCK_GRAIN_MS = 2000;

/** How many names are looked at to find what a wrong path may have meant. */
export const MAX_LISTED_NAMES = 2_000;

/** How many letters of names are compared with one wrong name. */
export const MAX_COMPARED_LETTERS = 100_000;

/** How many entries a page of a directory has, if nothing is said. */
export const DEFAULT_LISTED = 1000;

/** The most entries that a page of a directory may be asked for. */
export const MAX_LISTED = 10_000;

/** How deep a directory is listed at most. */
export const MAX_LIST_DEPTH = 5;

/** How many names are looked at for one page of a directory and those below it. */
export const MAX_SCANNED_NAMES = 1_000_000;

/** How many files are suggested instead of one that is not there. */
export const MAX_SUGGESTIONS = 3;

/** How many names of a directory are told to whoever took it for a file. */
export const MAX_TOLD_ENTRIES = 10;
