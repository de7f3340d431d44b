// Turns the cache off: every row except "again" measures reads.

/** The options of a workspace without a cache. */
export const NO_CACHE = { cacheBytes: 0 } as const;
