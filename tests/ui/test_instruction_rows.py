"""The table of instructions has a bar of heat beside each number, the longer the hotter, and a row for each."""

from __future__ import annotations

from warpview.ui.drawing.theme import heat_colour
from warpview.ui.main_window import MainWindow
from warpview.ui.views.instructions.heat_model import Heat
from warpview.ui.views.instructions.instructions import HEAT, InstructionsView


def length(view: InstructionsView, row: int, strength: float) -> int:
    """Count pixels of the colour of that heat in the middle of a row."""
    table = view.list
    picture = table.viewport().grab().toImage()
    theme, (left, wide) = view.look.theme, table.span(HEAT)
    plain = theme.qcolor("panel")
    y = round((table.rowViewportPosition(row) + table.row_height / 2) * picture.devicePixelRatio())
    heat = heat_colour(theme, strength)
    share = heat.alphaF()
    wanted = [round(share * a + (1 - share) * b) for a, b in zip(heat.getRgb()[:3], plain.getRgb()[:3], strict=True)]
    found = 0
    for x in range(left, left + wide):
        rgb = picture.pixelColor(x, y).getRgb()[:3]
        found += all(abs(a - b) <= 3 for a, b in zip(rgb, wanted, strict=True))
    return found


def test_the_bar_is_as_long_as_the_share_and_pale_where_all_are_the_same(window: MainWindow) -> None:
    view = next(v for v in window.views if isinstance(v, InstructionsView))
    window.workspace.raise_view("instructions")
    view.whole.setChecked(True)
    window.presenter.present()
    view.flush()
    first, second, third = [n for n in range(view.table.rowCount()) if view.table.cell(n, HEAT).ground is None][:3]
    view.table.show_heat(Heat("h", share={first: 1.0, second: 0.5}))
    longest = length(view, first, 1.0)
    assert longest > 20
    assert abs(length(view, second, 0.5) - longest / 2) <= 1
    assert length(view, third, 1.0) == 0
    even = Heat("h", share={first: 1.0, second: 1.0})
    view.table.show_heat(even)
    assert length(view, first, even.strength(first)) == length(view, second, even.strength(second)) == longest
    assert length(view, first, 1.0) == 0
