"""One adapter a wire format: messages to a request body, wire chunks to deltas."""
