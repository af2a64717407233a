"""Source files are read and written as other programs do."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpview.diagnostics import WarpviewError
from warpview.ui.session import text_file

TEXT = "// Größe\n__global__ void k() {}\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_file_is_read_and_written_back_as_it_is(tmp_path: Path, encoding: str, newline: str) -> None:
    path = tmp_path / "k.cu"
    path.write_bytes(TEXT.replace("\n", newline).encode(encoding))
    before = path.read_bytes()
    assert text_file.read(path) == TEXT
    text_file.write(path, TEXT)
    assert path.read_bytes() == before
    text_file.write(path, TEXT + "// more\n")
    assert path.read_bytes() == (TEXT + "// more\n").replace("\n", newline).encode(encoding)
    assert [p.name for p in tmp_path.iterdir()] == ["k.cu"]


def test_a_new_file_is_in_utf8(tmp_path: Path) -> None:
    text_file.write(tmp_path / "new.cu", TEXT)
    assert (tmp_path / "new.cu").read_bytes() == TEXT.encode()


def test_a_character_that_the_old_encoding_lacks(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_bytes(TEXT.encode("latin-1"))
    text_file.write(path, TEXT + "// Ω\n")
    assert text_file.read(path) == TEXT + "// Ω\n"


def test_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(WarpviewError, match=r"k\.cu is not a text"):
        text_file.read(path)
    with pytest.raises(OSError, match="none"):
        text_file.read(tmp_path / "none.cu")


def test_what_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_file, "LARGEST", 10)
    path = tmp_path / "k.cu"
    path.write_text(TEXT)
    with pytest.raises(WarpviewError, match="too large"):
        text_file.read(path)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.cu").write_text("a\n")
    (tmp_path / "link.cu").symlink_to("real.cu")
    text_file.write(tmp_path / "link.cu", "b\n")
    assert (tmp_path / "link.cu").is_symlink()
    assert (tmp_path / "real.cu").read_text() == "b\n"
