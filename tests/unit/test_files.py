"""Files are read within bounds and written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from warpview import files
from warpview.diagnostics import WarpviewError
from warpview.files import read_text, regular_file, write_file, write_whole


def test_a_written_file_replaces_the_old_one_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    path.chmod(0o640)
    write_file(path, "né\n")
    assert path.read_bytes() == "né\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_write_that_fails_half_way_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WarpviewError, match=r"cannot write .*a.csv: No space left on device"):
        write_file(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_text("old")

    def half(temporary: Path) -> None:
        assert temporary.suffix == ".png"
        temporary.write_text("half")
        raise KeyError("a fault of the writer")

    with pytest.raises(KeyError):
        write_whole(path, half)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["folder", "missing/a.csv", "loop", "/"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(WarpviewError, match=f"cannot write .*{name}"):
        write_file(tmp_path / name, "text")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of POSIX")
def test_pipes_folders_and_devices_are_not_read(tmp_path: Path) -> None:
    pipe, endless = tmp_path / "pipe.cu", tmp_path / "endless.cu"
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    for path, reason in ((pipe, "not a regular file"), (endless, "not a regular file"), (tmp_path, "a folder")):
        with pytest.raises(WarpviewError, match=reason):
            regular_file(path)


def test_text_is_read_without_its_byte_order_mark_and_within_bounds(tmp_path: Path) -> None:
    path = tmp_path / "bom.cu"
    path.write_bytes(b"\xef\xbb\xbfint a; // b\r\n")
    assert read_text(path) == "int a; // b\n"
    with pytest.raises(WarpviewError, match="has 16 bytes, more than 15"):
        read_text(path, 15)
    with pytest.raises(WarpviewError, match="No such file"):
        read_text(tmp_path / "none.cu")
    assert files.MOST_TEXT_BYTES >= 1 << 20


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_text_is_read_in_the_encodings_that_editors_and_shells_write(tmp_path: Path, encoding: str) -> None:
    path, text = tmp_path / "k.cu", "int a; // Größe\n"
    path.write_bytes(text.encode(encoding) + b"\0" * (encoding != "utf-16"))
    assert read_text(path) == text


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_bytes(b"int a;\0int b;")
    with pytest.raises(WarpviewError, match=r"k\.cu is not a text file"):
        read_text(path)
