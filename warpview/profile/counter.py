"""Describe one counter."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from warpview.devices.hardware_words import named_on
from warpview.profile.formulas import Compute

if TYPE_CHECKING:
    from warpview.devices import Device

LABEL = 22  # characters that a narrow table has room for
LAUNCH_GROUP, STALLS_GROUP = "launch", "stalls"  # of counters that no instruction owns


@dataclass(frozen=True)
class Counter:
    """A counter is one row of the table. ``nsight`` and ``visual_profiler`` are the metric's names there, empty where
    it had none.

    ``needs`` is the fact of a device (an attribute of ``Device``) without which the counter means nothing there, empty
    where every device has it; ``short`` is the title where there is little room, empty where the title is short enough
    (``LABEL`` characters).
    """

    key: str
    group: str
    unit: str
    title: str
    description: str
    compute: Compute
    nsight: str = ""
    visual_profiler: str = ""
    needs: str = ""
    short: str = ""

    @property
    def label(self) -> str:
        """Return the title for a narrow table: at most ``LABEL`` characters."""
        return self.short or self.title

    @property
    def is_of_launch(self) -> bool:
        """Return whether the counter is a number of the launch that no instruction owns."""
        return self.group in (LAUNCH_GROUP, STALLS_GROUP)

    def on(self, device: Device) -> bool:
        """Return whether the device has this counter."""
        return not self.needs or bool(getattr(device, self.needs))

    def named_on(self, device: Device) -> Counter:
        """Return the counter with its words for the hardware of a device."""
        if device.moves_sectors:
            return self
        title, short, unit, about = (named_on(device, x) for x in (self.title, self.short, self.unit, self.description))
        return replace(self, title=title, short=short, unit=unit, description=about)


def no_counter(key: str, known: Collection[str]) -> str:
    """Return the sentence about a key that none of the known counters has, with the nearest one."""
    near = difflib.get_close_matches(key, known, 1, 0.4)
    return f"there is no counter '{key}'" + (f"; did you mean '{near[0]}'?" if near else "")
