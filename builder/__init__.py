"""The build step: books into cards, cards into one index a book."""
