"""Messages are written as sentences."""

import pytest

from warpview.ui.panels.sentence import sentence


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("cannot write a.cu", "Cannot write a.cu"),
        ("race: two threads", "Race: two threads"),
        ("garbage.cu is not a text file", "garbage.cu is not a text file"),
        ("grid.x = 7 is too large", "grid.x = 7 is too large"),
        ("'out[3]' is not an element", "'out[3]' is not an element"),
        ("__global__ functions return void", "__global__ functions return void"),
        ("a block is too large", "A block is too large"),
        ("perThread is declared twice", "perThread is declared twice"),
        ("", ""),
    ],
)
def test_identifiers_are_never_capitalised(words: str, shown: str) -> None:
    assert sentence(words) == shown
