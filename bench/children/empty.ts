// Does nothing: what the runtime costs.
