"""Bookmarks name steps of one launch: they stay with an edit of the source, and go with the launch."""

from __future__ import annotations

from PySide6.QtTest import QTest
from ui.stand import Stand


def test_bookmarks_go_with_their_launch_and_stay_with_an_edit(stand: Stand) -> None:
    stand.w.player.bookmark("here")
    stand.press("E")
    stand.w.source.editor.place_cursor(1)
    QTest.keyClicks(stand.w.source.editor, "// ")
    with stand.another_run():
        stand.press("F5")
    assert [mark.name for mark in stand.w.selection.now.bookmarks] == ["here"]
    with stand.another_run():
        stand.w.session.set_device("h200")
    assert stand.w.selection.now.bookmarks == ()
