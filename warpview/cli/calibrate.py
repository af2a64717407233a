"""Measure a GPU of this machine and write a device file for it: ``warpview calibrate``."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from warpview.cli.tables import console
from warpview.devices.calibration import device_file, read_measurements
from warpview.diagnostics import WarpviewError
from warpview.files import read_text, write_file
from warpview.resources import assets_dir

SECONDS = 600  # that compiling or measuring may take


def calibrate(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The device file to write; runs name it by --device.")
    ] = Path("my_gpu.toml"),
    measured: Annotated[
        Path | None, typer.Option("--from", help="Output of the microbenchmarks; nothing is measured.")
    ] = None,
) -> None:
    """Measure the GPU of this machine and write a device file for it. Needs nvcc."""
    text = _measure() if measured is None else read_text(measured)
    measurements = read_measurements(text)
    write_file(output, device_file(measurements))
    console().print(
        f"{measurements.name}: {len(measurements.figures)} figures in {output}; run with --device {output}",
        markup=False, soft_wrap=True,
    )  # fmt: skip


def _measure() -> str:
    """Compile and run the microbenchmarks; returns what they print. Raises WarpviewError where that is not possible."""
    source = assets_dir() / "calibration" / "microbenchmarks.cu"
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        raise WarpviewError(
            "calibrate: nvcc is not on the PATH: install the CUDA toolkit, or compile and run "
            f"{source} on a machine that has it and give its output with --from"
        )
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "microbenchmarks"
        _output([nvcc, "-O3", "-arch=native", "-o", str(program), str(source)], "nvcc")
        return _output([str(program)], "the microbenchmarks")


def _output(command: list[str], name: str) -> str:
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise WarpviewError(f"calibrate: {name} did not end within {SECONDS} s") from None
    except OSError as error:
        raise WarpviewError(f"calibrate: {name} cannot be started: {error.strerror}") from None
    if result.returncode:
        said = (result.stderr or result.stdout).strip().splitlines()
        reason = said[-1] if said else f"exit code {result.returncode}"
        needs = "they need an NVIDIA GPU: " if name.startswith("the ") else ""
        raise WarpviewError(f"calibrate: {name} failed: {needs}{reason}")
    return result.stdout
