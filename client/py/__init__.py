"""The pure core: terms, search, exchange and rendering, alike at build, in the terminal and in the browser."""
