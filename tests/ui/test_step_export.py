"""The window goes through a range of steps to record them, while a thread writes."""

from dataclasses import replace

import pytest
from PIL import Image
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage

from warpview.ui.export.step_export import StepsChoice
from warpview.ui.export.steps import AnimationFile, PictureFolder, StepRecorder
from warpview.ui.panels.steps_dialog import StepsDialog


@pytest.fixture
def record(qtbot, tmp_path):
    """A recorder of pictures whose red is the step."""

    def make(name, steps=range(3, 9), width=40):
        shown = []

        def take():
            image = QImage(40, 30, QImage.Format.Format_RGB32)
            image.fill(QColor(20 * shown[-1] % 256, 0, 0))
            return image

        path = tmp_path / name
        sink = AnimationFile(path, 100) if name.endswith(".gif") else PictureFolder(path, max(steps))
        return StepRecorder(list(steps), shown.append, take, sink, width), shown

    return make


def test_a_gif_has_a_frame_a_step(record, qtbot, tmp_path):
    recorder, shown = record("steps.gif", width=20)
    told = []
    recorder.progress.connect(lambda words, done, total: told.append((words, done, total)))
    with qtbot.waitSignal(recorder.done, timeout=5000):
        recorder.start()
    assert shown == list(range(3, 9))
    assert told[0] == ("Step 1 of 6", 0, 6)
    assert ("Step 6 of 6", 5, 6) in told
    with Image.open(tmp_path / "steps.gif") as image:
        assert (image.n_frames, image.size) == (6, (20, 15))
        assert image.convert("RGB").getpixel((5, 5)) == (60, 0, 0)
    assert not recorder.running


def test_a_folder_gets_a_png_a_step(record, qtbot, tmp_path):
    recorder, _ = record("slides", range(8, 12))
    with qtbot.waitSignal(recorder.done, timeout=5000):
        recorder.start()
    names = sorted(p.name for p in (tmp_path / "slides").iterdir())
    assert names == ["step-08.png", "step-09.png", "step-10.png", "step-11.png"]


@pytest.mark.parametrize("name", ["steps.gif", "slides"])
def test_cancelling_leaves_nothing_behind(record, qtbot, tmp_path, name):
    recorder, _ = record(name, range(1, 10_000))
    recorder.progress.connect(lambda words, done, total: recorder.cancel() if done == 3 else None)
    with qtbot.waitSignal(recorder.failed, timeout=5000) as signal:
        recorder.start()
    assert "cancelled" in signal.args[0]
    assert list(tmp_path.iterdir()) == []


def test_a_closing_window_abandons_the_recording(record, qtbot, tmp_path):
    recorder, _ = record("steps.gif", range(1, 10_000))
    with qtbot.waitSignal(recorder.progress, timeout=5000):
        recorder.start()
    recorder.abandon()
    assert not recorder.running
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_told(record, qtbot, tmp_path):
    (tmp_path / "file").write_text("in the way")
    recorder, _ = record("file/steps.gif")
    with qtbot.waitSignal(recorder.failed, timeout=5000) as signal:
        recorder.start()
    assert "failed" in signal.args[0]


# ---- in the window


@pytest.fixture
def export(window, tmp_path):
    """The window's export with its questions answered: some steps of the whole window."""
    window.step_export.ask_steps = lambda parent, trace, key, offered, shapes: replace(offered, last=40, width=640)
    window.dialogs.ask_save = lambda title, name, kinds: tmp_path / name
    return window.step_export


def test_steps_of_the_window_as_an_animation(window, export, qtbot, tmp_path):
    window.actions_["next"].trigger()
    before = window.selection.now
    window.actions_["export_steps"].trigger()
    qtbot.waitUntil(lambda: not export.running, timeout=20000)
    with Image.open(tmp_path / "steps.gif") as image:
        assert image.size[0] == 640
        assert image.n_frames > 2
    assert window.selection.now == before
    assert "steps.gif" in window.caption.text


def test_a_key_pressed_meanwhile_does_not_get_into_the_pictures(window, export, qtbot):
    taken = []
    take = export.take
    export.take = lambda widget: (taken.append(None), take(widget), taken.append(window.selection.now.step))[1]
    window.player.go(2)
    window.actions_["export_steps"].trigger()
    recorder = export.recorder
    recorder.progress.connect(lambda *_: window.actions_["last"].trigger())
    qtbot.waitUntil(lambda: not export.running, timeout=20000)
    assert max(step for step in taken if step is not None) <= 40


def test_one_view_alone_into_a_folder(window, export, qtbot, tmp_path):
    export.ask_steps = lambda parent, trace, key, offered, shapes: replace(
        offered, last=6, mode="any", view="lanes", width=320, animated=False
    )
    window.actions_["export_steps"].trigger()
    qtbot.waitUntil(lambda: not export.running, timeout=20000)
    names = sorted(p.name for p in (tmp_path / "steps").iterdir())
    assert names == [f"step-{n}.png" for n in range(7)]
    assert QImage(str(tmp_path / "steps" / names[0])).width() == 320


def test_ctrl_period_cancels_and_another_run_does(window, export, qtbot, tmp_path):
    export.ask_steps = lambda parent, trace, key, offered, shapes: replace(offered, mode="any", last=trace.steps)
    window.actions_["export_steps"].trigger()
    window.actions_["cancel"].trigger()
    qtbot.waitUntil(lambda: not export.running, timeout=20000)
    assert "cancelled" in window.caption.text
    window.actions_["export_steps"].trigger()
    window.actions_["next_variant"].trigger()
    qtbot.waitUntil(lambda: not export.running, timeout=20000)
    assert not list(tmp_path.glob("steps*"))


def test_the_dialog_says_what_will_be_written(window, qtbot):
    trace = window.session.run.trace
    shapes = {"": ("the whole window", QSize(1280, 720)), "lanes": ("Lanes", QSize(640, 400))}
    dialog = StepsDialog(trace, (0, 0), StepsChoice(0, 9), shapes, window)
    qtbot.addWidget(dialog)
    words = dialog.summary.text()
    assert "1280 × 720" in words
    dialog.view.setCurrentIndex(1)
    assert "1280 × 800" in dialog.summary.text()
    dialog.mode.setCurrentIndex(dialog.mode.findData("any"))
    assert dialog.last.value() == 29
    assert "30 pictures" in dialog.summary.text()
    dialog.format.setCurrentIndex(1)
    assert not dialog.seconds.isEnabled()
    dialog.first.setValue(40)
    assert dialog.choice == StepsChoice(40, 40, "any", "lanes", 1280, 0.7, False)
