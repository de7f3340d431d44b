export const MAX_PATH_BYTES = 4096;
/** The longest name between two slashes: in bytes of UTF-8, or in code units of UTF-16 where the system counts those. */
export const MAX_NAME_UNITS = 255;
/** The most names below the root in one path. */
export const MAX_PATH_NAMES = 256;
export const MAX_LINKS = 40;
/** The most steps that links may add to one walk. */
export const MAX_LINK_STEPS = 1024;

/** Where the system cannot name open files, an escape passes a challenge with a probability of 2^-32. */
export const PROOF_BITS = 32;
/** How many proofs that a file lies inside are cached per root. */
export const MAX_PROVED_FILES = 4096;
/** How many paths without a link are cached per root: they are opened without a walk. */
export const MAX_LINK_FREE_PATHS = 4096;
/** How often a walk is retried after its path changed. */
export const OPEN_RETRIES = 3;
/** The coarsest clock of a file system: FAT has steps of two seconds, and the clock of a kernel is late by a tick. */
export const CLOCK_GRAIN_MS = 2020;

/** The most bytes in one answer: runtimes limit the length of a string. */
export const MAX_SHOWN_BYTES = 256 * 1024 * 1024;
/** The most bytes of a file of unknown size, such as those of `/proc`. */
export const MAX_UNSIZED_BYTES = 4 * 1024 * 1024;
/** The most bytes that a tool reads of one file by default: a line of a sparse file may be longer than any disk. */
export const MAX_SCAN_BYTES = 4 * 1024 ** 3;
/** The largest image that is read by default: models refuse larger ones. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** How many files a workspace reads at a time: a process may open at least 256. */
export const MAX_OPEN_FILES = 64;
/** The time slice of all calls together: how long they may block the event loop, in milliseconds. */
export const SLICE_MS = 8;

export const LEAST_CHUNK_BYTES = 512;
/** The first bytes, by which a binary file is recognized. */
export const SNIFF_BYTES = 8192;
/** The size of the first read; most files fit. */
export const FIRST_CHUNK_BYTES = 64 * 1024;
/** The size of a read in a long scan. */
export const CHUNK_BYTES = 256 * 1024;
/** The size of a buffer for larger files: scanned bytes are often needed again. */
export const BUFFER_BYTES = 1024 * 1024;
/** The most memory for the line indexes of a workspace. */
export const MAX_INDEX_BYTES = 4 * 1024 * 1024;
/** The most memory for the cached pages of a workspace. */
export const MAX_CACHE_BYTES = 16 * 1024 * 1024;

/** How many entries a page of a directory has by default. */
export const DEFAULT_LISTED = 1000;
/** The most entries that a page of a directory may be asked for. */
export const MAX_LISTED = 10_000;
export const MAX_LIST_DEPTH = 5;
/** How much of the line of a hit is shown in UTF-16 code units, even if the limits of the text hold nothing; and the most bytes of it. */
export const LEAST_HIT_UNITS = 200;
export const LEAST_HIT_BYTES = 4 * LEAST_HIT_UNITS;
/** How many names are read for one page of a listing. */
export const MAX_SCANNED_NAMES = 1_000_000;

/** The most names that are compared to find suggestions for a wrong path. */
export const MAX_LISTED_NAMES = 2_000;
/** The most letters of names that are compared with one wrong name. */
export const MAX_COMPARED_LETTERS = 100_000;
export const MAX_SUGGESTIONS = 3;
/** How many names the error lists where a directory was opened as a file. */
export const MAX_TOLD_ENTRIES = 10;
