"""A line chart as SVG text from lists of numbers: what python_exec offers a model that wants to show a curve.

The module stands alone, on the standard library, so that its text can be handed into a sandbox.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final

WIDTH: Final = 480
HEIGHT: Final = 320
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 36, 44
COLOURS: Final = ("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#57606a")
TICKS: Final = 6

Points = list[tuple[float, float]]


def plot(
    xs: Iterable[float],
    ys: Iterable[float] | Mapping[str, Iterable[float]],
    *,
    title: str = "",
    xlabel: str = "",
    ylabel: str = "",
    dots: bool = False,
) -> str:
    """Draw y over x as SVG; `ys` may hold several curves by name. What is not finite leaves a gap."""
    across = [float(x) for x in xs]
    curves = {name: [float(y) for y in values] for name, values in (ys.items() if isinstance(ys, Mapping) else [("", ys)])}
    for name, values in curves.items():
        if len(values) != len(across):
            raise ValueError(f"{name or 'ys'} has {len(values)} numbers, xs has {len(across)}")
    all_y = [y for values in curves.values() for y in values if isfinite(y)]
    all_x = [x for x in across if isfinite(x)]
    if not all_x or not all_y:
        raise ValueError("nothing to plot: no finite number")
    place = _Scale(ticks(min(all_x), max(all_x)), ticks(min(all_y), max(all_y)))
    parts = [*_frame(place, title, xlabel, ylabel), *_curves(place, across, curves, dots)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    name = f"<title>{escape(title or 'chart')}</title>"
    return f'{head}{name}{ground}<g font-family="sans-serif" font-size="12">{"".join(parts)}</g></svg>'


def ticks(least: float, most: float) -> list[float]:
    """Round numbers from just below the least to just above the most."""
    if least == most:
        least, most = least - 0.5, most + 0.5
    rough = (most - least) / (TICKS - 1)
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)
    first, last = floor(least / step), ceil(most / step)
    return [number * step for number in range(first, last + 1)]


class _Scale:
    """Numbers to places on the drawing."""

    def __init__(self, across: Sequence[float], up: Sequence[float]) -> None:
        self.across, self.up = across, up

    def x(self, value: float) -> float:
        share = (value - self.across[0]) / (self.across[-1] - self.across[0])
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        share = (value - self.up[0]) / (self.up[-1] - self.up[0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def _text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="#1f2328"{more}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="#d0d7de"/>'


def _frame(place: _Scale, title: str, xlabel: str, ylabel: str) -> Iterable[str]:
    """Grid, numbers and names."""
    bottom, middle = HEIGHT - BOTTOM, (HEIGHT - BOTTOM + TOP) / 2
    for value in place.across:
        yield _line(place.x(value), TOP, place.x(value), bottom) + _text(place.x(value), bottom + 16, f"{value:.6g}")
    for value in place.up:
        yield _line(LEFT, place.y(value), WIDTH - RIGHT, place.y(value)) + _text(
            LEFT - 6, place.y(value) + 4, f"{value:.6g}", "end"
        )
    yield _text(WIDTH / 2, 20, title, more=' font-size="14"') if title else ""
    yield _text(WIDTH / 2, HEIGHT - 8, xlabel) if xlabel else ""
    yield _text(14, middle, ylabel, more=f' transform="rotate(-90 14 {middle})"') if ylabel else ""


def _curves(place: _Scale, across: Sequence[float], curves: Mapping[str, Sequence[float]], dots: bool) -> Iterable[str]:
    """Each curve, and its name at the upper right where it has one."""
    for number, (name, values) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        for run in _runs(across, values):
            points = [(place.x(x), place.y(y)) for x, y in run]
            if dots or len(points) == 1:
                yield "".join(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in points)
            else:
                corners = " ".join(f"{x},{y}" for x, y in points)
                yield f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>'
        if name:
            at = f'x="{WIDTH - RIGHT - 4}" y="{TOP + 14 + 16 * number}"'
            yield f'<text {at} text-anchor="end" fill="{colour}">{escape(name)}</text>'


def _runs(across: Sequence[float], values: Sequence[float]) -> Iterable[Points]:
    """Stretches of finite points."""
    run: Points = []
    for x, y in zip(across, values, strict=True):
        if isfinite(x) and isfinite(y):
            run.append((x, y))
        elif run:
            yield run
            run = []
    if run:
        yield run
