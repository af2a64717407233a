"""Choose the next key worth knowing: the hint that follows from what has been done. Qt-free."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from warpview.profile.counters import Value


@dataclass(frozen=True)
class GuideHint:
    """Describe a hint. It is shown after the first of the actions ``after``, unless the action ``names`` is known
    already. Where ``counters`` are given, the launch must have counted something of one of them; ``of_family`` is said
    of kernels with variants."""

    after: tuple[str, ...]
    names: str
    key: str
    words: str
    counters: tuple[str, ...] = ()
    of_family: bool = False


# The way of a lecture: step, find what matters, compare; the table of keys has the rest.
HINTS = (
    GuideHint(
        ("next", "next_any", "next_line"),
        "next_divergence",
        "D",
        "goes on to the next divergence",
        ("divergent_branches",),
    ),
    GuideHint(("play",), "faster", "]", "runs faster, [ slower; → steps again"),
    GuideHint(
        ("next_divergence", "next_barrier"),
        "next_variant",
        "V",
        "shows the next variant of this kernel",
        of_family=True,
    ),
    GuideHint(
        ("next_variant",),
        "next_conflict",
        "C",
        "goes to the next bank conflict",
        ("shared_ld_bank_conflicts", "shared_st_bank_conflicts"),
    ),
    GuideHint(
        ("next_conflict", "next_uncoalesced"), "compare_variants", "Ctrl+K", "compares the variants", of_family=True
    ),
    GuideHint(("compare_variants", "compare_devices"), "keys", "?", "lists every key"),
    GuideHint(("edit",), "compile", "F5", "runs the source as it is in the editor"),
    GuideHint(("compile", "previous_variant", "choose_device"), "back", "Alt+←", "takes you back to where you were"),
)


class KnownActions:
    """``known`` are the actions that were used, or hinted at, ever; each is hinted at once."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known = set(known)

    def did(self, action: str, counters: Mapping[str, Value], family: bool = True) -> GuideHint | None:
        """Note that the user has done ``action``; return the hint to show for a launch with these counters, if any.
        ``family`` is whether the kernel has variants."""
        self.known.add(action)
        hints = (
            hint for hint in HINTS if (not hint.counters or any(counters.get(key) for key in hint.counters))
            and (family or not hint.of_family)
        )  # fmt: skip
        found = next((hint for hint in hints if action in hint.after and hint.names not in self.known), None)
        if found is not None:
            self.known.add(found.names)
        return found
