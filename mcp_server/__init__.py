"""The book tools over the Model Context Protocol."""
