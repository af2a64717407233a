"""Arrange the views as the window opens: by the step, or all at once, on wide and on narrow screens; one
at a time where there is room for no more.

A view that none of these names has its place by itself: on the stage, and among the tabs of *Everything*.
"""

from __future__ import annotations

from warpview.ui.arranging.arrangement import LayoutNode
from warpview.ui.view_list import VIEWS

BESIDE_THE_STAGE = ("source", "lanes", "key_counters")
PATHS = ("divergence", "atomics", "barrier", "values")
STAGED = tuple(view.key for view in VIEWS if view.key not in BESIDE_THE_STAGE)
_OTHERS = tuple(key for key in STAGED if key not in (*PATHS, "shared", "global", "instructions", "counters"))

WIDE = LayoutNode("h", (
    LayoutNode("v", ("source", "instructions", LayoutNode("tabs", PATHS)), (40, 17, 43)),
    LayoutNode("v", (
        "lanes",
        LayoutNode("h", ("shared", "global"), (50, 50)),
        LayoutNode("h", (LayoutNode("tabs", _OTHERS), "counters"), (50, 50)),
    ), (28, 34, 38)),
), (40, 60))  # fmt: skip
NARROW = LayoutNode("h", (
    LayoutNode("v", ("source", LayoutNode("tabs", (*PATHS, "instructions"))), (47, 53)),
    LayoutNode("v", (
        "lanes",
        LayoutNode("h", ("shared", "global"), (50, 50)),
        LayoutNode("tabs", ("counters", *_OTHERS)),
    ), (31, 30, 39)),
), (42, 58))  # fmt: skip
FOLLOW = LayoutNode("h", (
    LayoutNode("v", ("source", "key_counters"), (72, 28)),
    LayoutNode("v", ("lanes", LayoutNode("stage", STAGED)), (34, 66)),
), (42, 58))  # fmt: skip
PRESENTATION = LayoutNode("h", ("source", LayoutNode("v", ("lanes", LayoutNode("stage", STAGED)), (38, 62))), (42, 58))
SMALL = LayoutNode("h", (
    LayoutNode("tabs", ("source", "instructions", "console")),
    LayoutNode("v", (
        "lanes", LayoutNode("stage", tuple(key for key in STAGED if key not in ("instructions", "console"))),
    ), (34, 66)),
), (42, 58))  # fmt: skip
# Where type is so large that two columns would hold no line of code.
SINGLE = LayoutNode("stage", ("source", "lanes", *STAGED, "key_counters"))
ARRANGEMENTS = {
    "follow": FOLLOW, "wide": WIDE, "narrow": NARROW, "small": SMALL, "presentation": PRESENTATION, "single": SINGLE,
}  # fmt: skip
