"""Memory partitions of G80 and GT200, across which addresses are striped: when all accesses meet in one ("camping")."""

from __future__ import annotations

from collections.abc import Iterable

from warpview.devices import Device
from warpview.sim.rules.access import Transaction

STRIPE = 256  # bytes (G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA")


def partition_of(address: int, device: Device) -> int | None:
    """The partition that holds an address; None where the device hashes addresses (CC 2.0 and later)."""
    return address // STRIPE % device.memory_partitions if device.memory_partitions else None


def partition_bytes(transactions: Iterable[Transaction], device: Device) -> tuple[int, ...]:
    """Bytes that transactions move in each partition; empty where the device hashes addresses."""
    result = [0] * device.memory_partitions
    for transaction in transactions:
        partition = partition_of(transaction.base, device)
        if partition is not None:
            result[partition] += transaction.size
    return tuple(result)


def camping(transactions: Iterable[Transaction], device: Device) -> float | None:
    """The busiest partition's bytes over the mean of all: 1 where traffic is even, the number of partitions where all
    of it meets in one; None without traffic or where addresses are hashed."""
    moved = partition_bytes(transactions, device)
    return max(moved) * len(moved) / sum(moved) if sum(moved) else None
