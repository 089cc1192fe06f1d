"""Work that another process begins early."""

from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys

import pytest
from site_projects import Build

from askbook.site_plugin.ahead import Ahead
from askbook.site_plugin.plugin import AskbookPlugin

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


@pytest.fixture(autouse=True)
def thawed() -> None:
    """A server of books in another test freezes what there is, for good."""
    gc.unfreeze()


def test_the_result_comes_from_another_process() -> None:
    assert Ahead(os.getpid).result() != os.getpid()


def test_a_process_that_dies_leaves_the_work_to_this_one() -> None:
    here = os.getpid()

    def work() -> int:
        if os.getpid() != here:
            os._exit(1)
        return here

    assert Ahead(work).result() == here


def test_an_error_shows_here() -> None:
    with pytest.raises(ZeroDivisionError):
        Ahead(lambda: 1 // 0).result()


def test_the_collector_goes_over_everything_again_when_the_work_is_done() -> None:
    before = gc.get_freeze_count()
    ahead = Ahead(os.getpid)
    assert gc.get_freeze_count() > before
    ahead.result()
    assert gc.get_freeze_count() == before


def test_what_the_host_froze_stays_frozen() -> None:
    gc.freeze()
    try:
        before = gc.get_freeze_count()
        Ahead(os.getpid).result()
        assert gc.get_freeze_count() == before > 0
    finally:
        gc.unfreeze()


@pytest.mark.parametrize("call", ["fork", "pipe"])
def test_where_no_process_can_be_had_the_work_is_done_here(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, call, refuse)
    ahead = Ahead(os.getpid)
    assert gc.get_freeze_count() == 0
    assert ahead.result() == os.getpid()


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_build_that_breaks_off_leaves_nothing_behind(
    error: type[BaseException], build_site: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> str:
        frozen.append(gc.get_freeze_count() > 0)
        raise error

    frozen: list[bool] = []
    monkeypatch.setattr("askbook.site_plugin.build.worth_it", lambda: True)
    monkeypatch.setattr(AskbookPlugin, "on_post_page", breaks)
    with pytest.raises(error):
        build_site(askbook={"cache": ""})
    assert frozen == [True]
    assert (multiprocessing.active_children(), gc.get_freeze_count()) == ([], 0)


def test_the_plugin_loads_nothing_that_reads_pages_before_there_is_one_to_read() -> None:
    late = ("numpy", "selectolax", "askbook.builder.pagecut", "askbook.builder.index.write", "packaging.requirements")
    code = f"import askbook.site_plugin.build, sys; print([name for name in {late!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
