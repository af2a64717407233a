"""Load the typefaces that come with warpview: Inter for text, JetBrains Mono for code."""

from __future__ import annotations

import logging
from functools import cache

from PySide6.QtGui import QFontDatabase

from warpview.resources import assets_dir


@cache
def load_fonts() -> tuple[str, ...]:
    """Load the bundled typefaces into the application and return their families. It is done once."""
    families: set[str] = set()
    for path in sorted((assets_dir() / "fonts").glob("*.[ot]tf")):
        number = QFontDatabase.addApplicationFont(str(path))
        if number < 0:
            logging.getLogger(__name__).warning("the typeface %s could not be loaded", path.name)
        else:
            families.update(QFontDatabase.applicationFontFamilies(number))
    return tuple(sorted(families))
