"""Exact arithmetic on an expression that somebody else wrote: a small grammar over fractions, no `eval`."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from .errors import ToolError

EXPRESSION_CHARACTERS: Final = 500
DIGITS: Final = 2_000
"""Longest number that is worked with."""
BITS: Final = int(DIGITS * 3.33)
DECIMAL_DIGITS: Final = 15

Value = Fraction | float
FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "abs": abs, "min": min, "max": max,
    "floor": lambda x: Fraction(math.floor(x)), "ceil": lambda x: Fraction(math.ceil(x)), "round": lambda x: Fraction(round(x)),
    "sqrt": lambda x: _root(x), "exp": lambda x: math.exp(x), "log": lambda x, base=math.e: math.log(x) / math.log(base),
    "ln": lambda x: math.log(x), "log2": lambda x: math.log2(x), "log10": lambda x: math.log10(x),
    "sin": lambda x: math.sin(x), "cos": lambda x: math.cos(x), "tan": lambda x: math.tan(x),
    "asin": lambda x: math.asin(x), "acos": lambda x: math.acos(x), "atan": lambda x: math.atan(x),
    "factorial": lambda x: Fraction(math.factorial(_small(x, 800))),
    "comb": lambda n, k: Fraction(math.comb(_small(n), _small(k))),
    "perm": lambda n, k: Fraction(math.perm(_small(n), _small(k))), "gcd": lambda *xs: Fraction(math.gcd(*map(_whole, xs))),
    "lcm": lambda *xs: Fraction(math.lcm(*map(_whole, xs))), "sum": lambda *xs: sum(xs, Fraction(0)),
}  # fmt: skip
CONSTANTS: Final[Mapping[str, float]] = {"pi": math.pi, "e": math.e, "tau": math.tau}
SPELLINGS: Final = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "^": "**", "（": "(", "）": ")", "，": ",", "π": "pi"})


class _OtherError(Exception):
    """Something in an expression is no arithmetic."""

    def __init__(self, node: ast.expr) -> None:
        super().__init__()
        self.node = node


def calculate(expression: str) -> dict[str, Any]:
    """Return the value exactly where it is rational, and as a decimal."""
    if len(expression) > EXPRESSION_CHARACTERS:
        raise ToolError(f"the expression is longer than {EXPRESSION_CHARACTERS} characters")
    text = expression.strip().translate(SPELLINGS)
    try:
        return _result(_value(ast.parse(text, mode="eval").body))
    except ToolError:
        raise
    except _OtherError as other:
        raise ToolError(
            f"not arithmetic: {ast.get_source_segment(text, other.node)!r:.60}",
            operators="+ - * / // % **",
            functions=sorted(FUNCTIONS),
        ) from None
    except ZeroDivisionError:
        raise ToolError("division by zero") from None
    except (SyntaxError, ValueError, TypeError, OverflowError, RecursionError, MemoryError) as wrong:
        raise ToolError(
            f"{expression!r:.80} cannot be computed: {wrong}", operators="+ - * / // % **", functions=sorted(FUNCTIONS)
        ) from None


def _value(node: ast.expr) -> Value:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _checked(Fraction(str(number)))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=operator, right=right):
            return _checked(_binary(operator, _value(left), _value(right)))
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return _checked(FUNCTIONS[name](*map(_value, arguments)))
        case _:
            raise _OtherError(node)


def _binary(operator: ast.operator, left: Value, right: Value) -> Value:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.FloorDiv():
            return Fraction(left // right)
        case ast.Mod():
            return left % right
        case ast.Pow():
            return _power(left, right)
        case _:
            raise ToolError("only + - * / // % ** are known")


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        if exponent == Fraction(1, 2):
            return _root(base)
        if exponent.denominator == 1:
            size = max(base.numerator.bit_length(), base.denominator.bit_length())
            if size * abs(exponent.numerator) > BITS and abs(base) != 1:
                raise ToolError(f"the result has more than {DIGITS} digits")
            return base**exponent.numerator
    result = float(base) ** float(exponent)
    if isinstance(result, complex):
        raise ToolError("the result is not a real number")
    return float(result)


def _root(value: Value) -> Value:
    """The square root, exact where there is one."""
    if value < 0:
        raise ToolError("the square root of a negative number is not real")
    if isinstance(value, Fraction):
        over, under = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if over * over == value.numerator and under * under == value.denominator:
            return Fraction(over, under)
    return math.sqrt(value)


def _whole(value: Value) -> int:
    if value != int(value):
        raise ToolError(f"{float(value):g} is not a whole number")
    return int(value)


def _small(value: Value, most: int = 10_000) -> int:
    number = _whole(value)
    if not 0 <= number <= most:
        raise ToolError(f"{number} is not between 0 and {most}")
    return number


def _checked(value: Value) -> Value:
    if isinstance(value, float) and not math.isfinite(value):
        raise ToolError("the result is not a finite number")
    if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
        raise ToolError(f"the result has more than {DIGITS} digits")
    return value


def _result(value: Value) -> dict[str, Any]:
    if isinstance(value, float):
        return {"value": f"{value:.{DECIMAL_DIGITS}g}", "exact": False}
    if value.denominator == 1:
        return {"value": str(value.numerator), "exact": True}
    try:
        decimal = f"{float(value):.{DECIMAL_DIGITS}g}"
    except OverflowError:
        decimal = ""
    return {"value": f"{value.numerator}/{value.denominator}", "decimal": decimal, "exact": True}
