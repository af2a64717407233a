"""Name parts of the hardware as a device has them: words of parts that it lacks would mislead."""

from __future__ import annotations

from warpview.devices.device import Device

# The fact of a device, words that suit where it has it, and those where it has it not.
_WORDS = (
    ("l1", "the tag and data stages of the L1", "the load and store units"),
    ("l2", "DRAM and L2", "DRAM"),
    ("moves_sectors", "32-byte sectors", "units of 32 B"),
    ("moves_sectors", "Ideal sectors", "Ideal 32 B units"),
    ("moves_sectors", "Sectors", "32 B units"),
    ("moves_sectors", "sectors", "32 B units"),
)


def named_on(device: Device, words: str) -> str:
    """Return the words with the parts of the hardware named as the device has them."""
    missing = [(there, absent) for fact, there, absent in _WORDS if not getattr(device, fact)]
    for there, absent in sorted(missing, key=lambda pair: -len(pair[0])):
        words = words.replace(there, absent)
    return words
