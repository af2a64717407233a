"""Check import contracts that find their modules by name, so that no list has to be kept (see pyproject.toml)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract


class _Delegating(Contract, ABC):
    """Find modules of ``package`` by their names and hand them to a contract of import-linter."""

    package = fields.StringField()

    @abstractmethod
    def delegate(self, graph: ImportGraph) -> Contract:
        """Return the contract over the modules found."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        self._checked = self.delegate(graph)
        return self._checked.check(graph, verbose)

    def render_broken_contract(self, check: ContractCheck) -> None:
        self._checked.render_broken_contract(check)

    def _modules(self, graph: ImportGraph, suffix: str) -> list[str]:
        prefix = f"{self.package}."
        return sorted(name for name in graph.modules if name.startswith(prefix) and name.endswith(suffix))

    def _made(self, kind: type[Contract], **options: Any) -> Contract:
        return kind(self.name, self.session_options, options)


class ModelsContract(_Delegating):
    """Modules whose names end in ``suffix`` import none of ``forbidden_modules``, not even indirectly."""

    suffix = fields.StringField()
    forbidden_modules = fields.ListField(subfield=fields.StringField())

    def delegate(self, graph: ImportGraph) -> Contract:
        models = self._modules(graph, str(self.suffix))
        assert models, f"no module of {self.package} ends in {self.suffix}"
        forbidden = list(self.forbidden_modules)  # type: ignore[call-overload]
        return self._made(ForbiddenContract, source_modules=models, forbidden_modules=forbidden)


class SiblingsContract(_Delegating):
    """Modules of ``package`` that have a model beside them (``lanes`` and ``lanes_model``) never import one another."""

    suffix = fields.StringField()

    def delegate(self, graph: ImportGraph) -> Contract:
        suffix = str(self.suffix)
        views = [name.removesuffix(suffix) for name in self._modules(graph, suffix)]
        siblings = [name for name in views if name in graph.modules]
        assert len(siblings) > 1, f"no modules of {self.package} have models"
        return self._made(IndependenceContract, modules=siblings)
