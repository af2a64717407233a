"""Input specs are reproducible and typed, and say what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warpview.diagnostics import WarpviewError
from warpview.library import KINDS, Blank, make_input

I32, F32 = np.dtype(np.int32), np.dtype(np.float32)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_shape_type_and_repeats(kind: str) -> None:
    first, second = make_input(f"{kind}:4x8:16", F32), make_input(f"{kind}:4x8:16", F32)
    assert isinstance(first, np.ndarray)
    assert isinstance(second, np.ndarray)
    assert first.shape == (4, 8)
    assert first.dtype == F32
    np.testing.assert_array_equal(first, second)


def test_values() -> None:
    def values(spec: str) -> list[int]:
        result = make_input(spec, I32)
        assert isinstance(result, np.ndarray)
        return [int(v) for v in result]

    assert values("iota:4:3") == [0, 3, 6, 9]
    assert values("constant:3:7") == [7, 7, 7]
    assert values("reversed:3") == [2, 1, 0]
    assert sorted(values("permutation:50")) == list(range(50))
    assert all(0 <= v < 10 for v in values("hash:1000:10"))
    skewed = np.bincount(values("skewed:4096:8"), minlength=8)
    assert 1900 < skewed[0] < 2200
    assert 900 < skewed[1] < 1150


def test_hash_is_the_one_of_the_hardware_probes() -> None:
    def hash_u(x: int) -> int:
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
            x = (x ^ (x >> shift)) * factor & 0xFFFFFFFF
        return x ^ (x >> 16)

    found = make_input("hash:64:1048576", I32)
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [hash_u(i) % (1 << 20) for i in range(64)]


def test_numbers_blanks_and_files(tmp_path: Path) -> None:
    assert make_input("17", I32) == 17
    assert make_input("0x10", I32) == 16
    assert make_input("2.5", F32) == 2.5
    blank = make_input("blank:8x2", F32)
    assert isinstance(blank, Blank)
    assert blank.shape == (8, 2)
    np.save(tmp_path / "a.npy", np.arange(5, dtype=np.int64))
    loaded = make_input(f"file:{tmp_path / 'a.npy'}", I32)
    assert isinstance(loaded, np.ndarray)
    assert loaded.dtype == I32


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("many", "'many' is neither a number nor KIND:COUNT"),
        ("sinus:4", "there is no input kind 'sinus'"),
        ("iota:-4", "'-4' is not a number of elements"),
        ("iota:4:x", "'x' is not a number"),
        ("zeros:99999999999", "larger than 2 GiB"),
        ("file:/nowhere.npy", "cannot read /nowhere.npy"),
    ],
)
def test_a_wrong_spec_is_explained(spec: str, message: str) -> None:
    with pytest.raises(WarpviewError, match=message):
        make_input(spec, I32)
