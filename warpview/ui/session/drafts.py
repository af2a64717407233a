"""Keep unsaved edits on disk so that none is ever lost. Qt-free."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from hashlib import sha256
from os import fsencode
from pathlib import Path

from warpview.diagnostics import WarpviewError
from warpview.ui.session import text_file
from warpview.ui.session.backend import Setup

log = logging.getLogger(__name__)
MOST_OF_NAME = 40  # characters of a file's name in that of its draft


class Drafts:
    """Keep drafts, one file a kernel in ``folder``; None keeps them in memory only."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}

    def _path(self, key: str, suffix: str = ".cu") -> Path | None:
        return self._folder / (_file_name(key) + suffix) if self._folder else None

    def text(self, key: str) -> str | None:
        """Return the edited text of a kernel, None if there is none that can be read."""
        if key not in self._texts:
            path = self._path(key)
            if path is None or not path.is_file():
                return None
            try:
                self._texts[key] = text_file.read(path)
            except (OSError, WarpviewError) as problem:
                log.warning("an edit is not restored: %s", problem)
                return None
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

    def latest(self, setup: Setup) -> Setup:
        """Return the setup of a kernel with its edit, which is kept at each pause in typing, a session more seldom."""
        text = self.text(setup.variant)
        return setup if text is None else replace(setup, text=text, edited=True)

    def discard(self, key: str) -> None:
        """Forget an edit; its file stays beside the drafts with the ending ``.discarded``."""
        text, path, kept = self.text(key), self._path(key), self._path(key, ".discarded")
        self._texts.pop(key, None)
        if text is not None and path is not None and kept is not None and path.is_file():
            try:
                path.replace(kept)
            except OSError as problem:
                log.warning("the edit that was reverted or saved is still in %s: %s", path, problem)


def _file_name(key: str) -> str:
    """Return the name of a draft without its ending. Those of two files differ whatever their folders are called, and a
    long path makes no name that the file system refuses."""
    path = Path(key)
    if not path.is_absolute():
        return re.sub(r"[^\w.-]+", "_", key)
    stem = re.sub(r"[^\w.-]+", "_", path.stem)[:MOST_OF_NAME]
    return f"{stem}-{sha256(fsencode(key)).hexdigest()[:16]}"
