"""The MkDocs plugin: it builds the indexes and puts the assistant into the site."""
