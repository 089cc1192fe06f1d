"""Work that another process begins early."""

from __future__ import annotations

import os
import sys

import pytest

from askbook.site_plugin.ahead import Ahead

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


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
