// Runtime-agnostic.

/** The most bytes of a file on a page, if nothing is said: some 10,000 tokens. */
export const DEFAULT_MAX_BYTES = 32 * 1024;

/** The most bytes of a file that a call may ask for. */
export const MOST_MAX_BYTES = 256 * 1024;

/** How much longer than its bytes a page may be in words: numbers, and what is escaped. */
export const MOST_GROWTH = 2;

/** What a page always may take in words: a notice, and some of a line. */
export const LEAST_WORDS = 1024;

/** How many hidden characters are listed one by one. */
export const MOST_LISTED = 20;

/** How many files one call of read_files takes. */
export const MOST_FILES = 50;

/** The most bytes of a message; no call that means something has so many. */
export const MOST_MESSAGE_BYTES = 10 * 1024 * 1024;

/** How long a client may take to say which roots it has. */
export const ROOTS_TIMEOUT_MS = 10_000;
