"""The search of Ctrl+P brings views to the front and opens recent files; what it lists is not cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from warpview.profile.counters import BY_KEY
from warpview.ui.commands.actions import TABLE
from warpview.ui.commands.palette import Palette
from warpview.ui.commands.search_entries import SYNONYMS
from warpview.ui.main_window import MainWindow
from warpview.ui.panels.documentation import Documentation


def search(window: MainWindow, action: str = "palette") -> Palette:
    window.actions_[action].trigger()
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, Palette)
    return palette


def choose(window: MainWindow, typed: str) -> None:
    palette = search(window)
    QTest.keyClicks(palette.field, typed)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    window.presenter.present()


@pytest.mark.parametrize(
    ("typed", "key"),
    [("multiprocessor", "multiprocessor"), ("SM", "multiprocessor"), ("grid", "grid"), ("arrays", "arrays")],
)
def test_a_view_comes_to_the_front_however_often_it_is_chosen(window: MainWindow, typed: str, key: str) -> None:
    for _ in range(2):
        choose(window, typed)
        assert window.workspace.views[key].isVisible()
    for _ in range(3):  # it stays there, as after a click on its header
        window.player.step_any(True)
        window.presenter.present()
        assert window.workspace.views[key].isVisible()


def test_a_hidden_view_comes_back_from_behind_a_page(window: MainWindow) -> None:
    window.workspace.set_shown("grid", False)
    window.workspace.zoom(window.workspace.views["lanes"])
    window.pages.show_profiler()
    choose(window, "grid")
    assert window.workspace.views["grid"].isVisible()
    assert not window.pages.shows_no_step


def test_a_counter_is_found_with_what_it_counts_and_shown_in_the_table(window: MainWindow) -> None:
    palette = search(window)
    QTest.keyClicks(palette.field, "bank conflicts load")
    first = palette.matches[0]
    assert (first.kind, first.detail) == ("Counter", BY_KEY["shared_ld_bank_conflicts"].description)
    palette.close()
    choose(window, "bank conflicts load")
    assert window.selection.now.counter == "shared_ld_bank_conflicts"
    assert window.workspace.views["counters"].isVisible()


def test_what_a_student_would_type_is_found(window: MainWindow) -> None:
    wanted = {
        "predict": "Hide or reveal the answer", "fullscreen": "Presentation", "dark mode": "Dark",
        "font size": "Larger type", "screenshot": "Export view …", "compare gpus": "Compare devices",
        "race condition": "Next finding", "step back": "Previous instruction", "matrix multiply": "Coalesced",
        "assembly": "As compiled by NVIDIA", "pdf": "Export report …", "why slow": "Why is it slow?",
    }  # fmt: skip
    palette = search(window)
    found = {}
    for typed in wanted:
        palette.field.setText(typed)
        found[typed] = [match.title for match in palette.matches[:5]]
    palette.close()
    assert [typed for typed, title in wanted.items() if title not in found[typed]] == []


def test_synonyms_are_those_of_actions() -> None:
    assert SYNONYMS.keys() <= {row.id for row in TABLE}


@pytest.mark.parametrize(
    ("typed", "word"),
    [("wavefront", "wavefront"), ("predicated", "predicated off"), ("math pipe", "math pipe throttle")],
)
def test_a_word_is_explained(window: MainWindow, typed: str, word: str) -> None:
    palette = search(window)
    QTest.keyClicks(palette.field, typed)
    found = next(match for match in palette.matches if match.kind == "Word")
    palette.close()
    assert found.title == word
    found.choose()
    (pages,) = window.findChildren(Documentation)
    assert pages.text.textCursor().selectedText().lower() == word.lower()
    assert pages.text.source().fileName() == "glossary.md"
    pages.close()


def test_the_legend_leads_to_the_glossary(window: MainWindow) -> None:
    view = window.workspace.views["lanes"]
    view.pointed.emit(view)
    assert view.legend_button is not None
    view.legend_button.setChecked(True)
    QTest.mouseClick(view.legend_box, Qt.MouseButton.LeftButton)
    (pages,) = window.findChildren(Documentation)
    assert pages.pages.currentItem().text(0) == view.title
    view.legend_button.setChecked(False)
    pages.close()


@pytest.mark.parametrize("typed", ["tile_32", "transpose/tile_32", "transpose tile 32"])
def test_a_kernel_is_found_by_its_key(window: MainWindow, typed: str) -> None:
    palette = search(window)
    QTest.keyClicks(palette.field, typed)
    assert palette.matches[0].title == "Tile of 32 × 32 in shared memory"
    palette.close()


def test_a_recent_file_is_found_and_opened(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "scaling.cu"
    path.write_text("__global__ void scale(float *a) { a[threadIdx.x] *= 2.0f; }\n")
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.own_file == path and not window.runner.busy)
    window.session.choose("reduction/interleaved")
    qtbot.waitUntil(lambda: not window.runner.busy)
    palette = search(window)
    QTest.keyClicks(palette.field, "scaling")
    assert [(match.kind, match.title) for match in palette.matches][-1] == ("File", "scaling.cu")
    palette.close()


def test_details_are_not_cut_for_the_sake_of_long_titles(window: MainWindow) -> None:
    """Beside a run of a long name, devices show their year."""
    window.resize(1280, 720)
    palette = search(window, "side_by_side")
    names = palette.list
    for n in range(names.topLevelItemCount()):
        item = names.topLevelItem(n)
        if item is not None and item.text(0) == "Device":
            wanted = names.fontMetrics().horizontalAdvance(item.text(2))
            assert wanted < names.columnWidth(2) - 6, item.text(2)
    palette.close()


@pytest.mark.parametrize(
    ("typed", "device"), [("hopper", "NVIDIA H200"), ("fermi", "Tesla C2050"), ("gk110b", "Tesla K40")]
)
def test_a_device_is_found_by_its_architecture_and_its_chip(window: MainWindow, typed: str, device: str) -> None:
    palette = search(window, "choose_device")
    QTest.keyClicks(palette.field, typed)
    assert palette.matches
    assert device in [match.title for match in palette.matches]
    assert all(match.kind == "Device" for match in palette.matches)
    palette.close()
