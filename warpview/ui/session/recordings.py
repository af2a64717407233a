"""What the recorded history of a session takes, what bounds it, and what happens at the bound. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.sim.events import SmOptions
from warpview.ui.drawing.values import thousands
from warpview.ui.views.context import RunLike

MOST_BYTES = 1 << 30  # of one session: events, states, memory to step back in, and what is gathered from them
_MEGA, _GIGA = 1 << 20, 1 << 30


@dataclass(frozen=True)
class Recordings:
    """The history of the run at hand: bytes by what they are for, and the step after which recording ended, if it did.

    There is one history at a time: that of the run before is let go when another run comes, of which only the totals
    are kept.
    """

    parts: tuple[tuple[str, int], ...]
    ended: int | None = None

    @classmethod
    def of(cls, run: RunLike, gathered: int = 0) -> Recordings:
        """Of a run; ``gathered`` bytes are held of who touched what."""
        trace = run.trace
        parts = [*trace.memory.items(), ("who touched what", gathered)]
        return cls(tuple(part for part in parts if part[1]), trace.steps if trace.truncated else None)

    @property
    def total(self) -> int:
        return sum(size for _, size in self.parts)

    @property
    def words(self) -> str:
        """As short as can be: '102 MB of 1 GB'."""
        return f"{size_words(self.total)} of {size_words(MOST_BYTES)}"

    @property
    def details(self) -> str:
        """What it is made up of, and what happens at the bound."""
        lines = [f"Recorded history: {self.words}"]
        lines += [f"{size_words(size)} {what}" for what, size in sorted(self.parts, key=lambda part: -part[1])]
        if self.ended is None:
            options = SmOptions()
            lines.append(
                f"After {thousands(options.history_limit)} events or {size_words(options.history_bytes)} of states "
                "recording ends;\nthe run goes on, and its counters stay exact."
            )
        else:
            lines.append(
                f"Recording ended at its bound, after step {thousands(self.ended)};\n"
                "the run went on without: its counters are those of all of it."
            )
        lines.append("Of the runs before, only the counters are kept.")
        return "\n".join(lines)


def size_words(size: int) -> str:
    """Bytes in the largest unit that leaves a whole number, or one place below ten."""
    if size >= _GIGA:
        return f"{size / _GIGA:.3g} GB"
    amount = size / _MEGA
    return f"{amount:.0f} MB" if amount >= 10 else f"{amount:.1f} MB" if amount >= 0.05 else "0 MB"
