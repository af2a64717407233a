"""Find the C++ compiler of the host part, and compile programs with it, kept in a cache."""

from __future__ import annotations

import hashlib
import importlib.util
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import platformdirs

from warpview import frontend
from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span, WarpviewError
from warpview.files import read_text
from warpview.frontend.preprocess.preprocessor import NVCC_MACROS
from warpview.host.unsupported import unsupported_feature

HERE = Path(__file__).parent
INCLUDE = HERE / "include"
RUNTIME = HERE / "runtime"
SHARED = Path(frontend.__file__).parent / "headers"  # headers that kernels and host code read alike
INCLUDED = ("-I", str(INCLUDE), "-I", str(SHARED))
# Words and headers of C++20.
_NEWER = re.compile(
    r"\b(?:concept|requires|consteval|constinit|co_await|co_yield)\b|<=>|\]\s*<|std::(?:span|numbers|ranges|format|jthread)\b"
    r"|<(?:concepts|span|ranges|numbers|format|bit|compare|source_location|barrier|latch|semaphore|stop_token)>"
)
# As nvcc compiles the host part, but optimised: -O1 compiles in three quarters of the time of -O2. Contracting would
# change sums that programs compare with.
# -g1 is what addr2line needs to name the line of a crash.
FLAGS = ("-std=c++17", "-O1", "-g1", "-w", "-ffp-contract=off", "-fno-strict-aliasing", "-pthread",
         *(f"-D{name}={value}" for name, value in NVCC_MACROS.items()))  # fmt: skip
HEADER, PREFIX = "cuda_runtime.h", "prefix.h"  # what every program includes first; the same, precompiled
PLAIN = frozenset({".cpp", ".cc", ".cxx", ".c"})  # files that nvcc leaves to the host's compiler
SECONDS = 600
_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<text>.*)$", re.MULTILINE
)

Report = Callable[[str], None]


class HostPartError(CompileError):
    """The host part of a program cannot be compiled."""


class NoCompiler(WarpviewError):
    """There is no C++ compiler on this computer."""


@dataclass(frozen=True)
class Compiler:
    """Describe a C++ compiler: the command that starts it, and what it says of its version."""

    command: tuple[str, ...]
    version: str

    @property
    def name(self) -> str:
        return "zig c++" if self.command[1:] == ("c++",) else Path(self.command[0]).name

    @property
    def precompiles(self) -> bool:
        """Return whether headers are precompiled: by GCC on Linux, which passes over them where options differ."""
        return sys.platform == "linux" and "Free Software Foundation" in self.version


def find_compiler() -> Compiler:
    """Return the compiler that ``CXX`` names, else g++, else clang++, else that of the package ziglang.

    Raises NoCompiler where there is none.
    """
    named = os.environ.get("CXX")
    for command in (named,) if named else ("g++", "clang++"):
        path = shutil.which(command)
        if path:
            return _compiler((path,))
    zig = _installed_zig()
    if zig is not None:
        return _compiler((str(zig), "c++"))
    raise NoCompiler(
        "running a whole program needs a C++ compiler and none was found: install g++ or clang++, "
        "or pip install 'warpview[host]', which brings one"
    )


def _installed_zig() -> Path | None:
    """Return the program that the package ziglang brings, None without the package.

    It is started itself: ``python -m ziglang`` imports from the current folder, whose files are not warpview's, and a
    frozen application has no interpreter for it.
    """
    spec = importlib.util.find_spec("ziglang")
    name = "zig.exe" if sys.platform == "win32" else "zig"
    folders = (spec.submodule_search_locations if spec is not None else None) or ()
    return next((Path(folder, name) for folder in folders if Path(folder, name).is_file()), None)


@lru_cache(maxsize=8)
def _compiler(command: tuple[str, ...]) -> Compiler:
    result = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=SECONDS, check=False)
    if result.returncode:
        raise NoCompiler(f"{' '.join(command)} does not work: {result.stderr.strip()[:300]}")
    return Compiler(command, result.stdout)


@dataclass(frozen=True)
class HostUnit:
    """Describe a file to compile: ``text`` for the compiler, the ``path`` of the user's file that it stands for, and
    the header of warpview's that it needs before all others, if any."""

    path: Path
    text: str
    header: str = ""


def build(
    units: Sequence[HostUnit],
    headers: Mapping[Path, str],
    defines: Mapping[str, object],
    compiler: Compiler,
    report: Report | None = None,
) -> Path:
    """Return the program of these files, compiled unless it is in the cache.

    ``headers`` are rewritten files that the units include, by path. ``report`` is told what takes long. Raises
    CompileError with the compiler's messages, at their places in the user's files.
    """
    folder = _cache() / _key(compiler, units, headers, defines)
    program = folder / program_name()
    if program.is_file():
        os.utime(folder)
        return program
    if report is not None:
        first = " (its first use takes about a minute)" if compiler.name == "zig c++" else ""
        report(f"compiling the host part with {compiler.name}{first}")
    scratch = folder.with_name(f"{folder.name}.{os.getpid()}")
    try:
        _compile_by_either(units, headers, defines, compiler, scratch, scratch / program.name)
        _publish(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    _evict()
    return program


def _compile_by_either(
    units: Sequence[HostUnit], headers: Mapping[Path, str], defines: Mapping[str, object], compiler: Compiler,
    folder: Path, program: Path,
) -> None:  # fmt: skip
    """Compile by the standard that nvcc takes where it is told none, or by the next one where the text has words of
    that. Raises CompileError with the messages by the older one."""
    try:
        _compile(units, headers, defines, compiler, folder, program)
    except CompileError as error:
        if not any(_NEWER.search(text) for text in (*(unit.text for unit in units), *headers.values())):
            raise
        try:
            _compile(units, headers, defines, compiler, folder, program, ["-std=c++20"])
        except CompileError:
            raise error from None


def _compile(
    units: Sequence[HostUnit], headers: Mapping[Path, str], defines: Mapping[str, object], compiler: Compiler,
    folder: Path, program: Path, standard: Sequence[str] = (),
) -> None:  # fmt: skip
    runtime = _runtime(compiler)
    objects = [str(path) for path in sorted(runtime.glob("*.o"))]
    for path, text in headers.items():
        _write(_mirrored(folder, path), path, text)
    macros = [f"-D{name}={value}" for name, value in defines.items()]
    # Behind a precompiled header GCC mistakes the places of these macros in its messages.
    prefix = HEADER if macros else str(runtime / PREFIX)
    compiled = [folder / f"unit{number}.o" for number in range(len(units))]
    for unit, made in zip(units, compiled, strict=True):
        copy = _mirrored(folder, unit.path).with_suffix(".cpp")
        _write(copy, unit.path, unit.text, unit.header)
        includes = ["-I", str(copy.parent), *INCLUDED, "-I", str(unit.path.parent)]
        mark = f'-DWARPVIEW_UNIT="{_quoted(unit.path)}"'
        output = ["-include", prefix, "-c", str(copy), "-o", str(made)]
        _call(compiler, [*FLAGS, *standard, *placement(), *macros, mark, *includes, *output])
    _call(
        compiler, [*FLAGS, *placement(), *linkage(), *objects, *map(str, compiled), "-o", str(program), *_libraries()]
    )
    for made in compiled:
        made.unlink()


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def _mirrored(folder: Path, path: Path) -> Path:
    """Return the path of the rewritten copy of a file: relative paths are kept, so that includes find it."""
    return folder.joinpath("source", *path.parts[1:])


def _write(copy: Path, original: Path, text: str, header: str = "") -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    plain = "#undef __CUDACC__\n" if original.suffix in PLAIN else ""
    first = f'#include "{header}"\n' if header else ""
    copy.write_text(f'{plain}{first}#line 1 "{_quoted(original)}"\n{text}', encoding="utf-8")


def placement() -> tuple[str, ...]:
    """Return the flags of position-independent code, which the compiler of zig would not make: the heap of another
    program lies at low addresses, which are those of device memory (arena.py)."""
    return () if sys.platform == "win32" else ("-fPIE",)


def linkage() -> tuple[str, ...]:
    """Return the flags that make a program of position-independent code."""
    return () if sys.platform in ("win32", "darwin") else ("-pie",)


def program_name() -> str:
    """Return the name of a compiled program's file."""
    return "program.exe" if sys.platform == "win32" else "program"


def _libraries() -> list[str]:
    return ["-lws2_32"] if sys.platform == "win32" else ["-ldl", "-lm"] if sys.platform == "linux" else []


def _runtime(compiler: Compiler) -> Path:
    """Return the folder of what every program needs: the compiled runtime, and the header of CUDA, precompiled where
    the compiler can, which takes a third off the time of a short program."""
    folder = _cache() / f"runtime-{_key(compiler, [], {}, {})}"
    if not folder.is_dir():
        scratch = folder.with_name(f"{folder.name}.{os.getpid()}")
        scratch.mkdir(parents=True, exist_ok=True)
        try:
            for source in sorted(RUNTIME.glob("*.cpp")):
                made = ["-c", str(source), "-o", f"{scratch / source.stem}.o"]
                _call(compiler, [*FLAGS, *placement(), *INCLUDED, "-I", str(RUNTIME), *made])
            (scratch / PREFIX).write_text(f'#include "{HEADER}"\n', encoding="utf-8")
            if compiler.precompiles:
                made = ["-x", "c++-header", str(scratch / PREFIX), "-o", f"{scratch / PREFIX}.gch"]
                _call(compiler, [*FLAGS, *placement(), *INCLUDED, *made])
            _publish(scratch, folder)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    os.utime(folder)  # or another process removes it, as the oldest of all, before this one has linked
    return folder


def _publish(scratch: Path, folder: Path) -> None:
    """Move a finished folder to its place at once; another process may have been first."""
    try:
        scratch.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def _call(compiler: Compiler, arguments: Sequence[str]) -> None:
    environment = {**os.environ, "LC_ALL": "C"}
    result = subprocess.run(
        [*compiler.command, *arguments], capture_output=True, text=True, timeout=SECONDS, check=False, env=environment
    )
    if result.returncode:
        raise HostPartError(_diagnostics(result.stderr, compiler))


def _diagnostics(text: str, compiler: Compiler) -> list[Diagnostic]:
    """Return the compiler's errors at their places, at most ten."""
    sources: dict[str, SourceText] = {}
    found = []
    for match in _MESSAGE.finditer(text):
        name = match["file"]
        if name not in sources:
            path = Path(name)
            sources[name] = SourceText(name, read_text(path) if path.is_file() else "")
        span = Span(sources[name], int(match["line"]), int(match["column"]))
        feature = unsupported_feature(match["text"])
        found.append(Diagnostic(match["text"], span, hint=f"warpview does not have {feature}" if feature else ""))
    if not found:
        found = [Diagnostic(f"{compiler.name} could not build the host part: {text.strip()[-2000:]}")]
    return found[:10]


# ------------------------------------------------------------------------------------------------ the cache
KEPT_PROGRAMS = 300  # 150 KB each


def _cache() -> Path:
    folder = platformdirs.user_cache_path("warpview") / "host"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WarpviewError(f"compiled programs cannot be kept in {folder}: {error.strerror}") from None
    return folder


def _key(
    compiler: Compiler, units: Sequence[HostUnit], headers: Mapping[Path, str], defines: Mapping[str, object]
) -> str:
    """Return a name that differs wherever the compiled program could."""
    facts = (compiler, FLAGS, placement(), linkage(), PREFIX, sys.platform, sorted(defines.items()))
    key = hashlib.sha256(repr(facts).encode())
    for path in sorted([*INCLUDE.rglob("*"), *RUNTIME.iterdir(), *SHARED.rglob("*")]):
        if path.is_file():
            key.update(path.name.encode() + path.read_bytes())
    for unit in units:
        key.update(str(unit.path).encode() + b"\0" + unit.text.encode() + b"\0" + unit.header.encode() + b"\0")
    for path, text in sorted(headers.items()):
        key.update(str(path).encode() + b"\0" + text.encode() + b"\0")
    return key.hexdigest()[:32]


def _evict() -> None:
    """Remove the programs that were not run for longest."""
    folders = sorted((f for f in _cache().iterdir() if f.is_dir()), key=_last_run, reverse=True)
    for folder in folders[KEPT_PROGRAMS:]:
        shutil.rmtree(folder, ignore_errors=True)


def _last_run(folder: Path) -> float:
    """Return when a program was run last; a folder that another process has just renamed is as new as can be."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return math.inf
