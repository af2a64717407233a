"""The views are told between which source lines each variable is visible."""

from __future__ import annotations

import warpview as wv

SOURCE = """__global__ void k(int *a, int n) {
    for (int i = 0; i < n; i++)
        a[i] += 1;
    for (int j = 0; j < n; j++) {
        int twice = 2 * a[j];
        a[j] = twice;
    }
    if (int m = a[0]; m > 1)
        a[1] = m;
    else
        a[2] = m;
    while (int left = a[3])
        a[3] = left - 1;
    int rest = a[4];
    a[5] = rest;
}
"""


def test_the_variable_of_a_statement_is_visible_down_to_its_last_line() -> None:
    scopes = {variable.name: variable.scope for variable in wv.compile(SOURCE, kernel="k").variables}
    assert {name: scopes[name] for name in ("i", "j", "twice", "m", "left", "rest")} == {
        "i": (2, 3), "j": (4, 7), "twice": (5, 7), "m": (8, 11), "left": (12, 13), "rest": (14, 16),
    }  # fmt: skip
