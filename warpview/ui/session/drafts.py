"""Keep unsaved edits on disk so that none is ever lost. Qt-free."""

from __future__ import annotations

import re
from pathlib import Path

from warpview.ui.session import text_file


class Drafts:
    """Keep drafts, one file a kernel in ``folder``; None keeps them in memory only."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}

    def _path(self, key: str, suffix: str = ".cu") -> Path | None:
        return self._folder / (re.sub(r"[^\w.-]+", "_", key) + suffix) if self._folder else None

    def text(self, key: str) -> str | None:
        """Return the edited text of a kernel, None if there is none."""
        if key not in self._texts:
            path = self._path(key)
            if path is None or not path.is_file():
                return None
            self._texts[key] = text_file.read(path)
        return self._texts[key]

    def keep(self, key: str, text: str | None) -> None:
        """Keep an edit; None: the text is unedited again. OSError or WarpviewError where that fails."""
        path = self._path(key)
        if text is None:
            self._texts.pop(key, None)
            if path is not None:
                path.unlink(missing_ok=True)
            return
        self._texts[key] = text
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            text_file.write(path, text)

    def discard(self, key: str) -> None:
        """Forget an edit; its file stays beside the drafts with the ending ``.discarded``."""
        text, path, kept = self.text(key), self._path(key), self._path(key, ".discarded")
        self._texts.pop(key, None)
        if text is not None and path is not None and kept is not None and path.is_file():
            path.replace(kept)
