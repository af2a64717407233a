"""Small pieces of unusual C++ compute the same as written and as NVIDIA's machine code (see ``snippets``)."""

from __future__ import annotations

import json

import pytest
from agreement.snippets import RECORDED, changed, digest, snippets

from warpview.sass import nvrtc

SNIPPETS = snippets()
BY_MACHINE_CODE: dict[str, dict[str, int]] = json.loads(RECORDED.read_text(encoding="utf-8"))


def test_what_is_recorded_is_of_these_pieces() -> None:
    assert {digest(text) for text in SNIPPETS.values()} == set(BY_MACHINE_CODE)


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_computes_what_machine_code_does(name: str) -> None:
    assert changed(SNIPPETS[name], "warpview") == BY_MACHINE_CODE[digest(SNIPPETS[name])]


@pytest.mark.exhaustive
@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("name", SNIPPETS)
def test_machine_code_computes_what_is_recorded(name: str) -> None:
    assert changed(SNIPPETS[name], "nvrtc") == BY_MACHINE_CODE[digest(SNIPPETS[name])]
