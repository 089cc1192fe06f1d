"""The sidebar of a start page tells the order of the pages."""

from __future__ import annotations

import pytest

from askbook.builder.blocks import NavEntry
from askbook.builder.chunkers.html_nav import site_nav

PAGES = ("index.html", "one.html", "two/x.html")
HOME, ONE, X = NavEntry("Home", "index.html"), NavEntry("One", "one.html"), NavEntry("X", "two/x.html")
READ_THE_DOCS = """<div class="wy-menu-vertical">
<ul class="current"><li class="toctree-l1 current"><a class="reference internal current" href="#">Home</a>
  <ul class="current"><li class="toctree-l2"><a class="reference internal" href="#sub">Sub</a></li></ul></li></ul>
<ul><li class="toctree-l1"><a class="reference internal" href="one.html">One</a></li></ul>
<ul><li class="toctree-l1"><a class="reference internal">Group</a>
  <ul><li class="toctree-l2"><a class="reference internal" href="two/x.html">X</a></li></ul></li></ul></div>"""
MENU = """<ul class="navbar-nav"><li><a href="one.html">One</a></li><li class="current"><a href="#">Menu</a>
<ul><li><a href="index.html">Home</a></li><li><a href="two/x.html">X</a></li></ul></li><li><a href="#">Search</a></li></ul>"""
LAST = """<div class="sidebar-tree"><ul><li><a href="one.html">One</a></li><li><a href="two/x.html">X</a></li>
<li><a href="#" aria-current="page">Home</a></li></ul></div>"""


@pytest.mark.parametrize(
    ("sidebar", "nav"),
    [
        (READ_THE_DOCS, (HOME, ONE, NavEntry("Group", "", (X,)))),
        (MENU, (ONE, NavEntry("Menu", "", (HOME, X)))),
        (LAST, (ONE, X, HOME)),
    ],
)
def test_a_link_to_itself_is_the_start_page_and_one_that_opens_a_menu_is_not(sidebar: str, nav: tuple[NavEntry, ...]) -> None:
    assert site_nav(PAGES, {"index.html": sidebar}.__getitem__) == nav
