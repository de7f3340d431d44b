// The cache is off: every row but "again" measures reads.

/** The options of a workspace that reads each time. */
export const NO_CACHE = { cacheBytes: 0 } as const;
