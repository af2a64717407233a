"""Check the kernels of a program before it runs, as nvcc does, whether they are launched or not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from warpview import frontend
from warpview.devices import Device
from warpview.diagnostics import CompileError, WarpviewError
from warpview.host.launches import Settings, by_nvrtc
from warpview.run.compilation import read_source
from warpview.sass import nvrtc


def check_device_code(files: Iterable[Path], settings: Settings, device: Device) -> None:
    """Raise CompileError where a kernel of a file is wrong.

    What our compiler takes for a mistake is none where NVRTC is installed and takes it.
    """
    for file in files:
        try:
            frontend.check_kernels(read_source(file), settings.defines, file.parent)
        except CompileError:
            if not _nvidia_takes(file, settings, device):
                raise


def _nvidia_takes(file: Path, settings: Settings, device: Device) -> bool:
    """Return whether NVRTC compiles a file; it looks at all kernels, whichever is asked for."""
    if not nvrtc.is_installed():
        return False
    try:
        source = read_source(file)
        kernel = frontend.kernels_in(source, settings.defines, file.parent)[0].name
        by_nvrtc(source, kernel, settings.defines, settings.fma, file.parent, device, {})
    except WarpviewError:
        return False
    return True
