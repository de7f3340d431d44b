// Does nothing, to measure what the runtime costs.
