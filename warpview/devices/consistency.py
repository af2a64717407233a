"""Check that the values of a device do not contradict one another."""

from __future__ import annotations

from warpview.devices.capability import Capability


def check(device: Capability) -> None:
    """Raise ValueError("section.key must ...") where values contradict one another."""
    rules = (
        (device.shared_bank_width in device.shared_bank_widths, "shared_memory.bank_width must be one of bank_widths"),
        (device.shared_bank_bytes >= device.shared_bank_width, "shared_memory.bank_bytes must be at least bank_width"),
        (len(device.tag_bank_masks) in (0, 2), "global_memory.tag_bank_masks must be two numbers"),
        (device.registers_per_block <= device.registers, "limits.registers_per_block must not exceed registers"),
        (
            device.max_threads_per_block <= device.max_threads,
            "limits.threads_per_block must not exceed 32 times limits.warps",
        ),
        (
            not device.unified_bytes or device.unified_bytes > device.shared_bytes,
            "caches.unified must exceed limits.shared_bytes",
        ),
        (
            device.shared_per_block <= device.shared_per_block_optin <= device.shared_bytes,
            "limits.shared_per_block must not exceed shared_per_block_optin, nor that shared_bytes",
        ),
        (
            device.shared_configurations == tuple(sorted(device.shared_configurations))
            and device.shared_configurations[-1:] == (device.shared_bytes,),
            "limits.shared_configurations must ascend and end with shared_bytes",
        ),
        (
            (device.l1 is None) == (device.latency_l1 == 0),
            "memory_latency.l1 must be 0 exactly where caches.l1 is absent",
        ),
        (
            (device.l2 is None) == (device.latency_l2 == 0),
            "memory_latency.l2 must be 0 exactly where caches.l2 is absent",
        ),
    )
    for holds, message in rules:
        if not holds:
            raise ValueError(message)
