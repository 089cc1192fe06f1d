"""The switches: typed, documented, and helpful about typing errors."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from askbook.builder.features import Cards, FeatureError, Features, Kinds, Outputs, load_features, placed, read_features

ROOT = Path(__file__).parents[2]


def test_the_manifest_at_the_root_states_the_defaults() -> None:
    assert load_features(ROOT / "features.toml") == Features()
    stated = tomllib.loads((ROOT / "features.toml").read_text(encoding="utf-8"))
    assert {table: set(values) for table, values in stated.items()} == {
        table: set(values) for table, values in asdict(Features()).items()
    }


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_features(None) == load_features(tmp_path / "features.toml") == Features()


def test_a_file_says_only_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "features.toml"
    file.write_text(
        '[cards]\ntokens = 200\noverlap = 0\n[kinds]\noff = ["note"]\nnames = {"思考题" = "exercise"}\n'
        "[outputs]\nllms_txt = true\n",
        encoding="utf-8",
    )
    assert load_features(file) == Features(
        cards=Cards(200, 0.0), kinds=Kinds(("note",), {"思考题": "exercise"}), outputs=Outputs(llms_txt=True)
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[asistant]\nenabled = false\n", "f.toml:1: no switch 'asistant'; did you mean assistant?"),
        ("[assistant]\nenable = false\n", "f.toml:2: no switch 'assistant.enable'; did you mean assistant.enabled?"),
        ("[formats]\nllms_txt = true\n", "f.toml:2: no switch 'formats.llms_txt'; did you mean outputs.llms_txt?"),
        (
            "[outputs]\nxyz = true\n",
            "f.toml:2: no switch 'outputs.xyz'; known here: llms_txt, llms_full_txt, book_json, mcp_json",
        ),
        ("[assistant]\nenabled = 1\n", "f.toml:2: assistant.enabled must be true or false, not 1"),
        ("[cards]\n\ntokens = '300'\n", "f.toml:3: cards.tokens must be a whole number, not '300'"),
        ("[cards]\ntokens = true\n", "f.toml:2: cards.tokens must be a whole number, not True"),
        ("[cards]\noverlap = 0.9\n", "f.toml:2: cards.overlap must lie between 0.0 and 0.5, not 0.9"),
        ("[kinds]\noff = 'note'\n", "f.toml:2: kinds.off must be a list of words, not 'note'"),
        ("[kinds.names]\nAha = 1\n", "f.toml:1: kinds.names must be a table of words, not {'Aha': 1}"),
        ("assistant = true\n", "f.toml:1: assistant must be a table, not True"),
    ],
)
def test_a_wrong_switch_is_named_with_line_and_remedy(text: str, message: str) -> None:
    with pytest.raises(FeatureError) as wrong:
        read_features(tomllib.loads(text), file="f.toml", source=text)
    assert placed(wrong.value) == message


@pytest.mark.parametrize(("content", "message"), [(b"[a\n", "is not TOML"), (b"\xff\xfe", "is not UTF-8")])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "features.toml"
    file.write_bytes(content)
    with pytest.raises(FeatureError, match=message):
        load_features(file)


def test_every_switch_is_documented() -> None:
    text = (ROOT / "docs/features.md").read_text(encoding="utf-8")
    missing = [
        f"{table}.{name}" for table, values in asdict(Features()).items() for name in values if f"`{table}.{name}`" not in text
    ]
    assert missing == []
