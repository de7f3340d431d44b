// Runtime-agnostic.

/** The most characters of an answer, if the command line says nothing: some 6,000 tokens. */
export const DEFAULT_MAX_CHARS = 20_000;

/** The fewest characters that an answer may be bounded by: a frame and some text fit. */
export const LEAST_MAX_CHARS = 1000;

/** The most characters that the command line may allow. */
export const MOST_MAX_CHARS = 1_000_000;

/** The most lines of an answer of the usual size. */
export const USUAL_LINES = 1000;

/** The longest path that a frame shows whole. */
export const MOST_PATH_CHARS = 200;

/** The size up to which all lines of a file are counted for each page. */
export const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

/** How many versions the server remembers for calls that go on. */
export const MOST_VERSIONS = 10_000;

/** How many hidden characters are listed one by one among the facts. */
export const MOST_LISTED = 20;

/** How many names of many a sentence holds. */
export const MOST_NAMED = 5;

/** How many files one call of read_files takes. */
export const MOST_FILES = 50;

/** The most characters of a note, or of the sentence of one file among several. */
export const MOST_SENTENCE_CHARS = 600;

/** The most bytes of a message; no call that means something has so many. */
export const MOST_MESSAGE_BYTES = 10 * 1024 * 1024;

/** How long a client may take to say which roots it has. */
export const ROOTS_TIMEOUT_MS = 10_000;
