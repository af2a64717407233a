"""Arguments are given as texts: a struct field by field, arrays within it by index."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.run import arguments_from_texts

SOURCE = """
struct Size { int of[2]; };
struct View { float *data; Size size; float scale; };
__global__ void fill(View view, int n) {
    int i = threadIdx.x;
    if (i < view.size.of[0] * view.size.of[1]) view.data[i] = view.scale * n;
}
"""
TEXTS = {
    "view.data": "zeros:8", "view.size.of[0]": "2", "view.size.of[1]": "3", "view.scale": "0.5", "n": "4",
}  # fmt: skip


def test_a_struct_is_made_of_its_fields() -> None:
    program = wv.compile(SOURCE)
    arguments = arguments_from_texts(program, TEXTS)
    assert arguments["view"]["size"] == {"of": {0: 2, 1: 3}}  # type: ignore[index]
    run = wv.simulate(program, 1, 32, arguments)
    assert list(run.buffers) == ["view.data"]
    assert np.array_equal(run.buffers["view.data"], np.float32([2, 2, 2, 2, 2, 2, 0, 0]))


def test_what_is_missing_or_unknown_is_named_as_the_source_has_it() -> None:
    program = wv.compile(SOURCE)
    with pytest.raises(wv.LaunchError, match=r"no value for 'view.data', 'view.size.of\[0\]', .*'view.scale', 'n'"):
        wv.simulate(program, 1, 32, arguments_from_texts(program, {}))
    with pytest.raises(wv.LaunchError, match=r"no parameter 'view.sise' \(it has: view.data, .*view.scale, n\)"):
        arguments_from_texts(program, TEXTS | {"view.sise": "1"})
