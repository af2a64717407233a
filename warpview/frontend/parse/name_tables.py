"""Know, while a file is read, which of its names are types, templates and namespaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from warpview.frontend import syntax as s


class NameTable(dict[str, str]):
    """Map the names that a block, namespace or struct declares to their kinds.

    ``inner`` holds the tables of the namespaces and structs in it, by name; ``used`` those whose names count as its
    own. ``struct`` is the struct that the table belongs to.
    """

    def __init__(self, kinds: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(kinds)
        self.inner: dict[str, NameTable] = {}
        self.used: list[NameTable] = []
        self.struct: s.StructType | None = None

    def kind_of(self, name: str) -> str | None:
        """Return the kind of a name; None where it is not declared here."""
        if name in self or not self.used:
            return self.get(name)
        return next((table[name] for table in self.visible() if name in table), None)

    def table(self, name: str) -> NameTable | None:
        """Return the table of a namespace or struct in this one."""
        if name in self.inner or not self.used:
            return self.inner.get(name)
        return next((table.inner[name] for table in self.visible() if name in table.inner), None)

    def visible(self) -> Iterator[NameTable]:
        """Yield this table and those whose names count as its own, each once."""
        seen: list[NameTable] = []
        waiting = [self]
        while waiting:
            table = waiting.pop(0)
            if not any(table is other for other in seen):
                seen.append(table)
                yield table
                waiting += table.used

    def use(self, other: NameTable) -> None:
        """Let the names of another table count as those of this one."""
        if not any(other is table for table in self.visible()):
            self.used.append(other)

    def take(self, other: NameTable, with_kinds: bool = True) -> None:
        """Take over what a table declares that stood for a part of this one."""
        if with_kinds:
            self.update(other)
        self.inner.update(other.inner)
        for table in other.used:
            self.use(table)


class NameTables:
    """Hold the tables that are open, the innermost last."""

    def __init__(self, library: dict[str, str]) -> None:
        self.library = NameTable(library.items())
        self.file = NameTable()
        self.open = [self.library, self.file]

    def enter(self, table: NameTable | None = None) -> NameTable:
        self.open.append(NameTable() if table is None else table)
        return self.open[-1]

    def leave(self) -> NameTable:
        return self.open.pop()

    @property
    def innermost(self) -> NameTable:
        return self.open[-1]

    @property
    def around(self) -> NameTable:
        """Return the table around the innermost one: that of a template's declaration around its parameters."""
        return self.open[-2]

    def declare(self, name: str, kind: str) -> None:
        self.open[-1][name] = kind

    def kind_of(self, name: str, within: NameTable | None = None) -> str | None:
        """Return the kind of a name; ``within`` a namespace that of the library where it has none."""
        if within is not None:
            return within.kind_of(name) or (self.library.get(name) if within.struct is None else None)
        return next((kind for table in reversed(self.open) if (kind := table.kind_of(name)) is not None), None)

    def table(self, name: str, within: NameTable | None = None) -> NameTable | None:
        """Return the table of a namespace or struct; None where the file has none of that name."""
        if within is not None:
            return within.table(name)
        return next((found for table in reversed(self.open) if (found := table.table(name)) is not None), None)

    def at_path(self, path: Iterable[str]) -> NameTable | None:
        """Return the table that ``a::b`` leads to, '' first for the file's own; None where the file has none."""
        table: NameTable | None = None
        for position, name in enumerate(path):
            table = self.file if not name and not position else self.table(name, table)
            if table is None:
                return None
        return table

    def namespace(self, name: str, within: NameTable | None) -> NameTable:
        """Return the table of a namespace; that of the library for one that the file does not have."""
        found = self.table(name, within)
        return self.library if found is None else found

    def at_qualifier(self, qualifier: str) -> NameTable | None:
        """Return the table to look a name up in behind ``a::b::``; None where nothing qualifies it."""
        if not qualifier:
            return None
        found = self.at_path(qualifier.split("::")[:-1])
        return self.library if found is None else found

    def known_types(self, kind: str) -> list[str]:
        """Return the names of a kind that are visible here."""
        return [name for table in self.open for name, found in table.items() if found == kind]
