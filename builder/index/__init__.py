"""Cards into an index file, and the words jieba decides for it."""
