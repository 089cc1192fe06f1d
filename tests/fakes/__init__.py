"""Fakes that tests of terminal, page and core share: a scripted endpoint, a clock without time, a small shelf."""
