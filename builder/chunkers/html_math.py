"""Formulas of built pages back into TeX: arithmatex, Sphinx, MathJax, KaTeX and MathML."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_MATH_CLASS = re.compile(
    r"(?<![\w-])(?:arithmatex|math|katex|katex-display|MathJax|MathJax_Display|MathJax_CHTML|mathjax|ltx_Math)(?![\w-])"
)
_DELIMITERS = (("\\(", "\\)", False), ("\\[", "\\]", True), ("$$", "$$", True), ("$", "$", False))
_SPACES = re.compile(r"\s+")
_GREEK_OR_NAME = re.compile(r"[^\W\d_]{2,}")


def formula(node: LexborNode) -> str | None:
    """Return the formula an element holds in canonical form, None when it holds none."""
    tag = node.tag
    if tag == "math":
        return _wrap(_from_mathml(node), display=node.attributes.get("display") == "block")
    if tag == "mjx-container":
        return _assistive(node)
    attributes = node.attributes
    if tag == "script":
        kind = attributes.get("type") or ""
        return _wrap(node.text(), display="mode=display" in kind) if kind.startswith("math/tex") else None
    named = attributes.get("class")
    if not named or not _MATH_CLASS.search(named):
        return None
    if "katex" in named:
        return _katex(node, display="katex-display" in named)
    if "MathJax" in named:
        return _assistive(node) if node.css_first("math") is not None else ""
    script = node.css_first('script[type^="math/tex"]')
    if script is not None:
        return formula(script)
    return _delimited(node.text(), display=tag == "div")


def _delimited(text: str, *, display: bool) -> str | None:
    text = text.strip()
    for opening, closing, is_display in _DELIMITERS:
        if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening):
            return _wrap(text[len(opening) : -len(closing)], display=is_display)
    return _wrap(text, display=display) if text.startswith("\\begin") else None


def _wrap(tex: str, *, display: bool) -> str:
    tex = tex.strip()
    if not tex:
        return ""
    return f"$${tex}$$" if display else f"${_SPACES.sub(' ', tex)}$"


def _katex(node: LexborNode, *, display: bool) -> str:
    source = node.css_first("annotation")
    if source is None:
        math = node.css_first("math")
        return _wrap(_from_mathml(math), display=display) if math is not None else ""
    return _wrap(source.text(), display=display)


def _assistive(node: LexborNode) -> str:
    math = node.css_first("math")
    if math is None:
        return ""
    display = node.attributes.get("display") in ("true", "block") or math.attributes.get("display") == "block"
    return _wrap(_from_mathml(math), display=display)


def _from_mathml(node: LexborNode) -> str:
    """Take the TeX a formula carries as annotation, else write its tree as plain TeX."""
    for annotation in node.css("annotation"):
        if "tex" in (annotation.attributes.get("encoding") or "").lower():
            return annotation.text()
    return _SPACES.sub(" ", _tex(node)).strip() or (node.attributes.get("alttext") or "")


def _children(node: LexborNode) -> list[LexborNode]:
    found, child = [], node.child
    while child is not None:
        if child.is_element_node:
            found.append(child)
        child = child.next
    return found


def _group(tex: str) -> str:
    tex = tex.strip()
    return tex if len(tex) == 1 else f"{{{tex}}}"


_SCRIPTS = {"msup": "^", "msub": "_", "mover": "^", "munder": "_"}


def _tex(node: LexborNode) -> str:
    """Write presentation MathML as TeX a reader and a model both understand."""
    tag, parts = node.tag or "", _children(node)
    if tag in ("annotation", "annotation-xml"):
        return ""
    if not parts:
        text = node.text().strip()
        return f"\\text{{{text}}}" if tag == "mtext" and text else f"{text} " if _GREEK_OR_NAME.search(text) else text
    tex = [_tex(part) for part in parts]
    match tag, len(tex):
        case "mfrac", 2:
            return f"\\frac{{{tex[0].strip()}}}{{{tex[1].strip()}}}"
        case "msqrt", _:
            return f"\\sqrt{{{''.join(tex).strip()}}}"
        case "mroot", 2:
            return f"\\sqrt[{tex[1].strip()}]{{{tex[0].strip()}}}"
        case (("msup" | "msub" | "mover" | "munder"), 2):
            return f"{tex[0].strip()}{_SCRIPTS[tag]}{_group(tex[1])}"
        case (("msubsup" | "munderover"), 3):
            return f"{tex[0].strip()}_{_group(tex[1])}^{_group(tex[2])}"
        case "mtr", _:
            return " & ".join(part.strip() for part in tex)
        case "mtable", _:
            return " \\\\ ".join(tex)
        case _:
            return "".join(tex)
