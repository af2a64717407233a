"""Encode the rules of a device as small numbers, for engines that cannot look at a ``Device``."""

from __future__ import annotations

from typing import NamedTuple

from warpview.devices import Device

STRICT, SEGMENTS, LINES, SPLIT_SECTORS, SECTORS = range(5)
_COALESCING = {
    "strict": STRICT,
    "segments": SEGMENTS,
    "lines": LINES,
    "split_sectors": SPLIT_SECTORS,
    "sectors": SECTORS,
}


class RuleCodes(NamedTuple):
    """Encode the rules of a device as integers; the rule functions named here define what each does."""

    coalescing: int  # STRICT ... SECTORS: which function of coalescing.py serves global memory
    cached_lines: int  # 1: loads of global memory take whole lines (``lines``); 0: ``uncached``. LINES only
    read_only_quads: int  # 1: loads through the read-only path are served by fours of lanes (``read_only_quads``)
    global_atomic_group: int  # lanes that a global atomic serves together: 16 or 32
    tag_mask0: int  # a line's bank of tags is (parity(line & mask0), parity(line & mask1)); 0, 0: not known
    tag_mask1: int
    banks: int
    bank_width: int  # bytes: bank of a byte = offset // bank_width % banks
    row_bytes: int  # bytes of one pass over all banks: two words of a bank conflict if offset // row_bytes differs
    shared_group: int  # lanes of a request of 32-bit words: 16 or 32
    one_word: (
        int  # 1: CC 1.x, ``_one_word_passes``; 0: multicast, parts of min(group, row_bytes // max(width, 4)) lanes
    )
    extra_128: int  # 1: each part of a 16-byte access takes one more pass (CC 2.x)
    merges_pairs: int  # 1: loads wider than 4 bytes may take twice the lanes together (``part_lanes``)
    native_shared_atomics: int  # 1: as a load without merging pairs; 0: ``_locked_passes``
    constant_group: int  # lanes of a constant request: 16 or 32
    clock_khz: int


def rule_codes(device: Device, cached: bool = True) -> RuleCodes:
    """Return the codes of a device; ``cached`` is the run's choice to send global loads through L1 (CC 2.x)."""
    masks = device.tag_bank_masks or (0, 0)
    return RuleCodes(
        coalescing=_COALESCING[device.coalescing],
        cached_lines=int(caches_loads(device, cached)),
        read_only_quads=int(serves_quads(device)),
        global_atomic_group=16 if device.coalescing in ("strict", "segments") else 32,
        tag_mask0=masks[0],
        tag_mask1=masks[1],
        banks=device.shared_banks,
        bank_width=device.shared_bank_width,
        row_bytes=device.shared_banks * device.shared_bank_bytes,
        shared_group=device.shared_group,
        one_word=int(device.shared_broadcast == "one_word"),
        extra_128=int(device.shared_extra_pass_128),
        merges_pairs=int(device.shared_merges_pairs),
        native_shared_atomics=int(device.shared_atomics == "native"),
        constant_group=device.constant_group,
        clock_khz=clock_khz(device),
    )


def clock_khz(device: Device) -> int:
    """Return the clock rate as a whole number."""
    return round(1000 * device.clock_mhz)


def caches_loads(device: Device, cached: bool) -> bool:
    """Return whether loads of global memory take whole 128-byte lines through L1."""
    return cached and device.l1_caches_global and device.coalescing == "lines"


def serves_quads(device: Device) -> bool:
    """Return whether the read-only path has a rule of its own (CC 3.5); from 5.0 on it shares that of the L1."""
    return device.read_only_path and device.coalescing == "split_sectors"
