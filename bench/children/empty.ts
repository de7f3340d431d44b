// An empty script, to measure the cost of the runtime.
