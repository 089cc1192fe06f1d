"""Benchmarks: each module measures one thing and prints a table; `make bench` runs them all."""
