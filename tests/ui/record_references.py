"""Take all reference pictures anew: python tests/ui/record_references.py [NAME …]

NAME is part of a file's name. Look at each picture that has changed before it is committed.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from ui.gallery import (
    FOLDER,
    NAMES,
    SCENES,
    TOLERANCE,
    array,
    difference,
    file_of,
    gallery,
    has_fonts,
    keep,
    kept,
    perform,
)

from warpview.ui.session.engine import Engine


def _record(image: QImage, file: Path) -> None:
    """Write the picture if it differs, and say by how much."""
    changed = difference(array(image), kept(file)) if file.exists() else 255.0
    if changed > TOLERANCE:
        keep(image, file)
        print(f"{file.stem}: {changed:.1f}")


def main() -> int:
    """Write what differs; delete what belongs to no picture any more."""
    app = QApplication(["warpview"])
    if not has_fonts():
        print("DejaVu is not installed", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    engine = Engine()
    shows = {name: perform(scene, engine) for name, scene in SCENES.items()}
    wanted = [each for each in NAMES if not sys.argv[1:] or any(part in file_of(*each).stem for part in sys.argv[1:])]
    for scene, look in sorted({(scene, look) for scene, _, look in wanted}):
        names = [name for s, name, k in wanted if (s, k) == (scene, look)]
        with gallery(app, shows[scene], look, names) as made:
            for name in names:
                _record(made.picture(name), file_of(scene, name, look))
    for file in FOLDER.glob("*.png"):
        if file not in {file_of(*name) for name in NAMES}:
            file.unlink()
            print(f"{file.stem}: gone")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # before the interpreter takes Qt down
    gc.collect()
    return 0


if __name__ == "__main__":
    sys.exit(main())
