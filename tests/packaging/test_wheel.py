"""The built wheel is the whole application: kernels and assets travel in it and are found from anywhere."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel was unpacked, away from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def _python(site: Path, code: str, cwd: Path) -> str:
    # -S would hide the dependencies too; putting the unpacked wheel first is what an installation amounts to.
    program = f"import sys; sys.path.insert(0, {str(site)!r}); {code}"
    result = subprocess.run([sys.executable, "-c", program], cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_kernels_and_devices_are_found_from_any_folder(installed: Path, tmp_path: Path) -> None:
    code = "import warpview as wv; print(wv.__file__); print(len(wv.kernels()), len(wv.devices()))"
    home, counts = _python(installed, code, tmp_path).splitlines()
    kernels, devices = map(int, counts.split())
    assert home.startswith(str(installed))
    assert kernels >= 10
    assert devices >= 3


def test_command_line_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "from warpview.cli import main; main(['devices'])"
    assert "8800gtx" in _python(installed, code, tmp_path)


def test_the_licence_travels_with_the_wheel(installed: Path) -> None:
    (folder,) = installed.glob("warpview-*.dist-info")
    (licence,) = folder.rglob("LICENSE")
    assert licence.read_text(encoding="utf-8").startswith("MIT License")
    metadata = (folder / "METADATA").read_text(encoding="utf-8")
    assert "License-Expression: MIT" in metadata
    assert "License-File: LICENSE" in metadata
