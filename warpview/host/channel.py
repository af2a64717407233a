"""Exchange messages between warpview and the host part of a program, over a socket pair.

A message is four 32-bit numbers (see ``Header`` in runtime/platform.h), then names (of a request), 64-bit values, and
bytes. A request is answered with any number of orders and then DONE.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum

_HEADER = struct.Struct("<4I")
SIGN = 1 << 63
POLL_SECONDS = 0.2


class HostOrder(IntEnum):
    """An order tells the host part what to do; the numbers are those of runtime/platform.h."""

    DONE = 0
    TO_DEVICE = 1  # to (offset in the arena), pitch, from (address), pitch, width, height
    FROM_DEVICE = 2  # to (address), pitch, from (offset in the arena), pitch, width, height
    ON_HOST = 3  # to, pitch, from, pitch, width, height, all of the host
    PRINT = 4  # bytes for the standard output
    CALL = 5  # function, data, stream, whether it is a stream callback
    MAP = 6  # address, size: managed memory
    UNMAP = 7  # address, size
    PROTECT = 8  # address, size, mode (see platform.h)
    RESUME = 9  # after "crash": go on
    DIE = 10  # after "crash": end the process
    WRITE = 11  # address; bytes to write there


@dataclass(frozen=True)
class SourcePlace:
    """Name a line of the user's source, and the byte in it, from 1, of a call's parenthesis or of the macro that the
    call comes from; 0 where it is not known."""

    file: str = ""
    line: int = 0
    column: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else "an unknown place"


@dataclass(frozen=True)
class Request:
    """A request is a call of the program into the CUDA runtime."""

    what: str
    place: SourcePlace
    values: tuple[int, ...]
    data: bytes

    def texts(self) -> list[str]:
        """Return ``data`` as texts that zeros separate."""
        return [part.decode(errors="replace") for part in self.data.split(b"\0")]


class Channel:
    """Wrap the end of the socket that warpview holds."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._socket.settimeout(POLL_SECONDS)
        self.waiting: Callable[[], None] = lambda: None
        """called now and then while the program computes by itself; what it raises ends ``receive``"""
        self.interrupted: Callable[[Request], None] = lambda request: None
        """called with a request that the program makes while it carries out an order: a crash, a call in a callback"""
        self._holds, self._held = False, list[tuple[HostOrder, bytes]]()

    def receive(self) -> Request | None:
        """Return the next request; None where the program has ended."""
        header = self._read(_HEADER.size)
        if header is None:
            return None
        names_size, n_values, n_bytes, line = _HEADER.unpack(header)
        body = self._read(names_size + 8 * n_values + n_bytes)
        if body is None:
            return None
        what, file, column = body[:names_size].split(b"\0")[:3]
        values = struct.unpack_from(f"<{n_values}Q", body, names_size)
        place = SourcePlace(file.decode(errors="replace"), line, int(column or 0))
        return Request(what.decode(), place, values, body[names_size + 8 * n_values :])

    def order(self, order: HostOrder, values: Iterable[int] = (), data: bytes = b"", error: int = 0) -> None:
        """Send an order, or the answer (DONE) with its error code."""
        numbers = [value & (1 << 64) - 1 for value in values]
        header = _HEADER.pack(order, len(numbers), len(data), error)
        message = header + struct.pack(f"<{len(numbers)}Q", *numbers) + data
        if self._holds:
            self._held.append((order, message))
        else:
            self._send(message)

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Keep orders back that are given meanwhile: the program computes by itself, and reads none."""
        self._holds = True
        try:
            yield
        finally:
            self._holds = False

    def release(self, only: HostOrder | None = None) -> int:
        """Send the orders that were kept back, or those of one kind; return their number."""
        released = [message for order, message in self._held if only in (None, order)]
        self._held = [(order, message) for order, message in self._held if only not in (None, order)]
        for message in released:
            self._send(message)
        return len(released)

    def _send(self, message: bytes) -> None:
        try:
            self._socket.settimeout(None)
            self._socket.sendall(message)
        except OSError:
            return  # the program has ended: receive() says so
        self._socket.settimeout(POLL_SECONDS)

    def execute(self, order: HostOrder, values: Iterable[int]) -> None:
        """Send an order and wait until the host part has executed it: what comes next may use what it leaves."""
        self.order(order, values)
        while (request := self.receive()) is not None and request.what != "executed":
            self.interrupted(request)

    def _read(self, size: int) -> bytes | None:
        parts = bytearray()
        while len(parts) < size:
            try:
                part = self._socket.recv(min(size - len(parts), 1 << 20))
            except TimeoutError:
                self.waiting()
                continue
            except ConnectionResetError:
                return None
            if not part:
                return None
            parts += part
        return bytes(parts)


def signed(value: int) -> int:
    """Return a 64-bit value that a signed number was sent as."""
    return value - 2 * SIGN if value >= SIGN else value
