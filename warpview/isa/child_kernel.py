"""Describe the kernels that a kernel launches."""

from __future__ import annotations

from dataclasses import dataclass

CHILD_ARGUMENT_BYTES = 256  # that a kernel may pass to one that it launches (device_launches.h)


@dataclass(frozen=True)
class ChildKernel:
    """Name a kernel that a program launches, and the offset and bytes of each of its arguments."""

    name: str
    arguments: tuple[tuple[int, int], ...]

    @property
    def fits(self) -> bool:
        """Return whether there is room for the arguments."""
        return all(offset + size <= CHILD_ARGUMENT_BYTES for offset, size in self.arguments)
