"""One chunker a file: a source format into blocks."""
