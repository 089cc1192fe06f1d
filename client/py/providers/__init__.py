"""One adapter a wire format, each two pure functions: messages to a request, wire chunks to deltas."""
