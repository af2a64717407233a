"""Kernels that the device cannot run are grey in list and menu, with the reason, and can still be chosen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend

from warpview.diagnostics import LaunchError
from warpview.ui.main_window import MainWindow
from warpview.ui.session.backend import KernelFamily, Progress


class Demanding(RealBackend):
    """Offer two kernels of which the second needs a newer device than the first."""

    def families(self) -> list[KernelFamily]:
        family = next(f for f in super().families() if f.key == "reduction")
        first, second, *_ = family.variants
        return [replace(family, variants=(first, replace(second, minimum_capability=(3, 0))))]


@pytest.fixture
def backend() -> RealBackend:
    return Demanding()


@pytest.fixture
def window(own_window: MainWindow) -> MainWindow:
    return own_window


def _listed(window: MainWindow, key: str) -> tuple[bool, str]:
    """Whether a kernel is grey in the list, and what its tool tip says; the menu must agree."""
    item = window.library.item_of(key)
    assert item is not None
    box = window.launch_bar.kernel
    at = box.findData(key)
    font = box.itemData(at, Qt.ItemDataRole.FontRole)
    grey = item.font(0).italic()
    assert (font is not None and font.italic()) == grey
    assert (item.foreground(0).color() == window.look.theme.qcolor("dim")) == grey
    words = str(box.itemData(at, Qt.ItemDataRole.ToolTipRole))
    assert all(line in item.toolTip(0) for line in words.splitlines())
    return grey, words


def test_what_the_device_cannot_run_is_grey_and_says_why(window: MainWindow, qtbot: QtBot) -> None:
    assert _listed(window, "reduction/interleaved")[0] is False
    grey, words = _listed(window, "reduction/strided_index")
    assert grey
    assert "Needs compute capability 3.0; GeForce 8800 GTX has 1.0." in words
    window.session.set_device("h200")
    qtbot.waitUntil(lambda: not window.runner.busy)
    assert _listed(window, "reduction/strided_index")[0] is False
    window.look.set_theme("dark")
    assert _listed(window, "reduction/strided_index")[0] is False


def test_a_grey_kernel_can_be_chosen_and_the_banner_says_why(
    window: MainWindow, qtbot: QtBot, backend: RealBackend
) -> None:
    def refuse(_: Progress) -> None:
        raise LaunchError("needs compute capability 3.0")

    backend.before_trace = refuse
    window.session.choose("reduction/strided_index")
    qtbot.waitUntil(lambda: window.banner.isVisible())
    assert window.session.variant.key == "reduction/strided_index"
    assert "needs compute capability 3.0" in _listed(window, "reduction/strided_index")[1]
    shown = "⚠ The views still show the run of Interleaved, divergent"
    assert window.outdated.words == f"{shown}: the chosen device cannot run this source."
    window.session.set_text(f"{window.session.setup.text}// mine")
    assert window.outdated.words == f"{shown}. F5 runs this source."


def test_only_a_launch_of_the_library_is_held_against_a_kernel(
    window: MainWindow, qtbot: QtBot, backend: RealBackend
) -> None:
    def refuse(_: Progress) -> None:
        raise LaunchError("a block of 5000 threads is too large")

    backend.before_trace = refuse
    window.session.set_launch(block=(5000, 1, 1))
    window.session.start()
    qtbot.waitUntil(lambda: window.banner.isVisible())
    assert not _listed(window, "reduction/interleaved")[0]
    window.session.set_preset("step")
    qtbot.waitUntil(lambda: not window.runner.busy)
    assert "5000 threads" in _listed(window, "reduction/interleaved")[1]
    backend.before_trace = lambda _: None
    window.session.start()
    qtbot.waitUntil(lambda: not window.runner.busy)
    assert not _listed(window, "reduction/interleaved")[0]


def test_a_file_whose_arguments_only_the_program_knows_is_not_held_against_the_device(
    window: MainWindow, qtbot: QtBot
) -> None:
    path = Path(__file__).resolve().parents[1] / "host" / "programs" / "texture_image.cu"
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.own_file == path and not window.runner.busy)
    assert "no value for 'tex'" in window.banner.problems[0].message
    assert (
        window.outdated.words == "⚠ The views still show the run of Interleaved, divergent. Ctrl+F5 runs the program."
    )
    assert not window.session.incompatibility(window.session.variant)
