"""Run the host part as a process of its own: start, feed, limit and end it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from warpview.diagnostics import WarpviewError
from warpview.host.arena import Arena
from warpview.host.channel import Channel, SourcePlace

Output = Callable[[str, str], None]  # "out" or "err", and the text
CHUNK = 1 << 14


@dataclass(frozen=True)
class Limits:
    """Limit a program: ``seconds`` of its own time, not the simulator's; ``bytes`` of memory; 0: no limit."""

    seconds: float = 0.0
    bytes: int = 4 << 30


class HostProcess:
    """Control a running host part: ``command`` is what its ``main`` is given, its own name first. ``output`` None lets
    it write where warpview itself does."""

    def __init__(
        self, program: Path, command: Sequence[str], folder: Path, arena: Arena, limits: Limits,
        output: Output | None, input: IO[bytes] | int | None,
    ) -> None:  # fmt: skip
        if not hasattr(os, "fork"):
            raise WarpviewError("whole programs run on Linux and macOS so far: this system has no shared file handles")
        ours, theirs = socket.socketpair()
        environment = {
            **os.environ,
            "WARPVIEW_CHANNEL": str(theirs.fileno()),
            "WARPVIEW_ARENA": str(arena.file),
            "WARPVIEW_ARENA_BYTES": str(arena.limit),
            "WARPVIEW_MEMORY_LIMIT": str(limits.bytes),
        }
        pipe = None if output is None else subprocess.PIPE
        with ExitStack() as failed, theirs:
            failed.callback(ours.close)
            self._process = subprocess.Popen(
                list(command), executable=program, cwd=folder, env=environment, pass_fds=(theirs.fileno(), arena.file),
                stdin=input, stdout=pipe, stderr=pipe, start_new_session=output is not None,
            )  # fmt: skip
            failed.pop_all()
        self._socket = ours
        self.channel = Channel(ours)
        self._readers: list[threading.Thread] = []
        if output is not None:
            for name, stream in (("out", self._process.stdout), ("err", self._process.stderr)):
                assert stream is not None
                reader = threading.Thread(target=_forward, args=(name, stream, output), name=f"warpview-{name}")
                reader.start()
                self._readers.append(reader)

    def stop(self) -> None:
        """End the process now."""
        if self._process.poll() is None:
            self._process.kill()

    def wait(self) -> int:
        """Return the exit code once the process has ended; 128 and the signal's number where a signal ended it."""
        code = self._process.wait()
        for reader in self._readers:
            reader.join()
        self._socket.close()
        return code if code >= 0 else 128 - code


def _forward(name: str, stream: IO[bytes], output: Output) -> None:
    with stream:
        while part := os.read(stream.fileno(), CHUNK):
            output(name, part.decode("utf-8", errors="replace"))


def signal_name(number: int) -> str:
    """Describe a signal in words."""
    words = {
        signal.SIGSEGV: "it used memory that is not its own (segmentation fault)",
        signal.SIGFPE: "an integer division by zero (SIGFPE)",
        signal.SIGABRT: "it called abort: a failed assert, an uncaught exception or a corrupted heap",
        signal.SIGILL: "an illegal instruction (SIGILL)",
    }
    try:
        return words.get(signal.Signals(number), signal.Signals(number).name)
    except ValueError:
        return f"signal {number}"


def place_of(program: Path, offsets: Sequence[int], files: Sequence[Path]) -> SourcePlace:
    """Return the line of the user's files at which the program stood: ``offsets`` are addresses of code from the
    innermost call outwards. An empty place where nothing tells (addr2line is not there)."""
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    if tool is None or not offsets:
        return SourcePlace()
    # A return address lies behind its call: one byte less is within it.
    addresses = [hex(max(0, offset - 1)) for offset in offsets]
    result = subprocess.run(
        [tool, "-e", str(program), *addresses], capture_output=True, text=True, timeout=30, check=False
    )
    # The compiler names a file as its #line says, or the copy that it read.
    ours = {str(path): path for path in files}
    for line in result.stdout.splitlines():
        file, _, number = line.partition(" ")[0].rpartition(":")
        known = ours.get(file) or next((path for path in files if _is_copy(file, path)), None)
        if known is not None and number.isdigit() and int(number):
            return SourcePlace(str(known), int(number))
    return SourcePlace()


def _is_copy(file: str, path: Path) -> bool:
    """Return whether ``file`` is the rewritten copy of ``path`` (see toolchain)."""
    copies = (Path("source", *p.parts[1:]) for p in (path, path.with_suffix(".cpp")))
    return file.endswith(tuple(map(str, copies)))
