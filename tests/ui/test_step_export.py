"""Recording a range of steps: the window goes through them, a thread writes."""

import pytest
from PySide6.QtGui import QColor, QImage, QImageReader

from warpview.ui.export.steps import StepRecorder


@pytest.fixture
def record(qtbot, tmp_path):
    """A recorder of pictures whose grey is the step."""

    def make(name, steps=range(3, 9)):
        shown = []

        def take():
            image = QImage(40, 30, QImage.Format.Format_RGB32)
            image.fill(QColor(20 * shown[-1], 0, 0))
            return image

        return StepRecorder(list(steps), shown.append, take, tmp_path / name, 100), shown

    return make


def test_a_gif_has_a_frame_a_step(record, qtbot, tmp_path):
    recorder, shown = record("steps.gif")
    told = []
    recorder.progress.connect(lambda done, total: told.append((done, total)))
    with qtbot.waitSignal(recorder.done, timeout=5000) as signal:
        recorder.start()
    assert signal.args == [str(tmp_path / "steps.gif")]
    assert shown == list(range(3, 9))
    assert told[-1] == (6, 6)
    reader = QImageReader(str(tmp_path / "steps.gif"))
    assert reader.imageCount() == 6
    assert QColor(reader.read().pixel(5, 5)).red() == 60
    assert not recorder.running


def test_a_folder_gets_a_png_a_step(record, qtbot, tmp_path):
    recorder, _ = record("slides", range(8, 12))
    with qtbot.waitSignal(recorder.done, timeout=5000):
        recorder.start()
    names = sorted(p.name for p in (tmp_path / "slides").iterdir())
    assert names == ["step-08.png", "step-09.png", "step-10.png", "step-11.png"]


def test_cancelling_leaves_nothing_behind(record, qtbot, tmp_path):
    recorder, _ = record("steps.gif", range(1, 10_000))
    recorder.progress.connect(lambda done, total: recorder.cancel() if done == 3 else None)
    with qtbot.waitSignal(recorder.failed, timeout=5000) as signal:
        recorder.start()
    assert "cancelled" in signal.args[0]
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_told(record, qtbot, tmp_path):
    (tmp_path / "file").write_text("in the way")
    recorder, _ = record("file/steps.gif")
    with qtbot.waitSignal(recorder.failed, timeout=5000) as signal:
        recorder.start()
    assert "Could not write" in signal.args[0]
