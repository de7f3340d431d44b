// Every row but "again" measures reads, and not the cache of a workspace.

/** The options of a workspace that reads each time. */
export const NO_CACHE = { cacheBytes: 0 } as const;
