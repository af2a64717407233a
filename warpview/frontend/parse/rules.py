"""Define the base class of the layers of the grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warpview.frontend.parse.parser import Parser


class Rules:
    """Implement one layer of the grammar: it reads tokens at the shared ``cursor`` and reaches the other layers by
    ``rules``."""

    def __init__(self, rules: Parser) -> None:
        self.rules = rules
        self.cursor = rules.cursor
