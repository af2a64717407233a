"""Open a cubin or a PTX file: its kernels, each with a launch to begin with. Qt-free."""

from __future__ import annotations

from pathlib import Path

from warpview.diagnostics import SourceText, WarpviewError
from warpview.files import CUBIN, PTX, read_text
from warpview.isa.program import Program
from warpview.run.machine_code_file import MachineCodeFile, open_machine_code
from warpview.run.nvrtc_targets import PTX_ONLY, architecture_of
from warpview.run.ptx_program import load_ptx, ptx_kernels
from warpview.sass.nvidia_packages import MissingCompiler
from warpview.ui.session.backend import LaunchPreset, Setup, Variant
from warpview.ui.session.own_file import first_launch, presets_in

OLDEST, LATEST = (1, 0), (99, 9)


def program_of(setup: Setup) -> Program:
    """Return the program of a setup's file; PTX is assembled for its device, or compiled where that is older."""
    path, kernel = Path(setup.file_name), setup.entry or None
    architecture = None if path.suffix == CUBIN else architecture_of(setup.device)
    if architecture == PTX_ONLY:
        cuda = SourceText(setup.file_name, setup.text)
        return load_ptx(path, kernel, None if cuda.text == read_text(path) else cuda)
    return open_machine_code(path, architecture).program(kernel)


def open_file(path: Path) -> Variant:
    """Return the file as a variant of no family, with a preset for every kernel.

    A launch that the source's host code has for the kernel is taken; otherwise one is made up, whose arguments are to
    be confirmed where the file tells only their sizes. Raises WarpviewError or CompileError where the file cannot be
    loaded.
    """
    least, last = OLDEST, LATEST
    try:
        loaded = open_machine_code(path)
    except MissingCompiler:
        if path.suffix != PTX:
            raise
        # Devices that run PTX run it; on others a run says what to install.
        text, presets = read_text(path), tuple(first_launch(*kernel) for kernel in ptx_kernels(path).items())
    else:
        text, (least, last) = loaded.source.text, _capabilities(path, loaded)
        written = {p.entry: p for p in presets_in(loaded.source, path.parent)} if loaded.is_cuda else {}
        presets = tuple(written.get(name) or _made_up(loaded, name) for name in loaded.names)
    if not presets:
        raise WarpviewError(f"{path.name} has no kernels")
    return Variant(
        str(path), "", path.name, "", "", presets[0].entry, str(path), text, presets, least, last_capability=last
    )


def _made_up(loaded: MachineCodeFile, name: str) -> LaunchPreset:
    try:
        return first_launch(name, loaded.signature(name).params)
    except WarpviewError:  # said when it is run
        return first_launch(name, ())


def _capabilities(path: Path, loaded: MachineCodeFile) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the oldest and the newest compute capability that run a file."""
    if path.suffix == CUBIN:
        major, minor = divmod(loaded.cubin.architecture, 10)
        return (major, minor), (major, 9)
    return OLDEST, LATEST
