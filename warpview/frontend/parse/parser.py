"""Parse a whole file: read the code that belongs to the device, and skip host code.

    translation_unit = { namespace | using | typedef | struct | enum | variable | function | host code }

Host code may be any C++; nothing in it is an error. What is not marked for the device but may concern it (a
constant, a struct, an enum) is read if it can be.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.allocation import AllocationRules
from warpview.frontend.parse.assembly import AssemblyRules
from warpview.frontend.parse.attributes import AttributeRules, Specifiers
from warpview.frontend.parse.concepts import ConceptRules
from warpview.frontend.parse.definitions import DefinitionRules, WrongInAnyCode
from warpview.frontend.parse.doubles import mark_doubles
from warpview.frontend.parse.expressions import ExpressionRules
from warpview.frontend.parse.host_code import HostRules
from warpview.frontend.parse.lambdas import LambdaRules
from warpview.frontend.parse.loops import LoopRules
from warpview.frontend.parse.members import MemberRules
from warpview.frontend.parse.method_definitions import MethodDefinitionRules
from warpview.frontend.parse.name_tables import NameTables
from warpview.frontend.parse.namespaces import NamespaceRules
from warpview.frontend.parse.packing import with_packing
from warpview.frontend.parse.parameters import ParameterRules
from warpview.frontend.parse.pointers import PointerRules
from warpview.frontend.parse.statements import StatementRules
from warpview.frontend.parse.stream import (
    ATTRIBUTES,
    FUNCTION_TEMPLATE,
    TYPE,
    TYPE_TEMPLATE,
    VALUE,
    VARIABLE_TEMPLATE,
    Cursor,
    behind_template,
    opening_angle,
    without_attributes,
)
from warpview.frontend.parse.types import TypeRules
from warpview.frontend.parse.words import STORAGE_WORDS
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail
from warpview.frontend.semantic.types import RUNTIME_STRUCTS, TYPEDEFS, VECTORS
from warpview.frontend.unsupported import VARIABLE_TEMPLATES, fail_unreadable

DEVICE_MARKS = frozenset(("__global__", "__device__", "__constant__", "__shared__", "__managed__"))
# What begins a declaration that kernels may use although nothing marks it.
_TYPE_WORDS = frozenset(
    ("struct", "class", "union", "enum", "typedef", "using", "static_assert", "constexpr", "consteval")
)
# Names from headers that take template arguments.
_KNOWN = (
    dict.fromkeys((*TYPEDEFS, *VECTORS, *RUNTIME_STRUCTS), TYPE)
    | dict.fromkeys(("thread_block", "coalesced_group", "thread_group", "grid_group"), TYPE)
    | dict.fromkeys(("thread_block_tile", "plus", "less", "greater", "bit_and", "bit_or", "bit_xor"), TYPE_TEMPLATE)
    | dict.fromkeys(("tiled_partition", "min", "max", "swap", "forward", "move", "reduce"), FUNCTION_TEMPLATE)
)


def parse(tokens: list[Token]) -> s.TranslationUnit:
    """Return the syntax tree of a preprocessed file."""
    return Parser(tokens).translation_unit()


class Parser:
    """Compose the layers of the grammar, which share one cursor, and read a whole file."""

    def __init__(self, tokens: list[Token], for_another_compiler: bool = False) -> None:
        self.for_another_compiler = for_another_compiler  # which may take the device code that cannot be read
        self.cursor = Cursor(with_packing(tokens))
        self.cursor.names = NameTables(_KNOWN)
        self.unit = s.TranslationUnit()
        self.unreadable: dict[str, CompileError] = {}  # names of host code that could not be read, and why
        self.types = TypeRules(self)
        self.attributes = AttributeRules(self)
        self.definitions = DefinitionRules(self)
        self.expressions = ExpressionRules(self)
        self.lambdas = LambdaRules(self)
        self.statements = StatementRules(self)
        self.loops: LoopRules = LoopRules(self)
        self.assembly = AssemblyRules(self)
        self.allocation = AllocationRules(self)
        self.pointers = PointerRules(self)
        self.concepts = ConceptRules(self)
        self.parameters = ParameterRules(self)
        self.members = MemberRules(self)
        self.namespaces: NamespaceRules = NamespaceRules(self)
        self.namespace = ""  # that is open, as 'outer::inner::'
        self.declared = 0  # the number of declarations so far
        self.templates = 0  # how many templates are open, one within another
        self.method_definitions = MethodDefinitionRules(self)
        self.host_code = HostRules(self)
        self._doubtful: dict[tuple[Span, Span], str] = {}  # stretches of what may be host code, and what they declare

    def translation_unit(self) -> s.TranslationUnit:
        while self.cursor.token.kind is not TokenKind.END:
            self.external_declaration()
        mark_doubles(self.unit)
        self._keep_what_kernels_name()
        self.unit.end = self.cursor.token.span
        return self.unit

    def _keep_what_kernels_name(self) -> None:
        """Let what could not be read, but is named by device code, be no host code."""
        while self._doubtful:
            named = self._names_of_device_code()
            used = [stretch for stretch, name in self._doubtful.items() if name in named]
            if not used:
                break
            for stretch in used:
                del self._doubtful[stretch]
                self.unit.host_code.remove(stretch)

    def _names_of_device_code(self) -> set[str]:
        """Return the names of the file that stand outside of host code."""
        stretches, named, last = dict(self.unit.host_code), set(), None
        for token in self.cursor.tokens:
            last = last or stretches.get(token.span)
            if last is None and token.kind is TokenKind.NAME and not is_own_header(token.span.source):
                named.add(token.text)
            last = None if token.span == last else last
        return named

    @property
    def seen(self) -> s.Seen:
        """Return the declarations that a name which is written here may mean."""
        return s.Seen(self.declared, self.templates > 0)

    def is_function(self, name: str) -> bool:
        """Return whether the file has declared a function of a name."""
        return any(function.name == name for function in self.unit.functions)

    def external_declaration(self) -> None:
        start = self.cursor.position
        if self.cursor.accept(";") or self._linkage() or self.namespaces.namespace():
            return
        self.declared += 1
        lists: list[list[s.Node]] = self.unit.placed
        before = [len(nodes) for nodes in lists]
        self._external_declaration(start)
        for nodes, known in zip(lists, before, strict=True):
            for node in nodes[known:]:
                self.unit.namespaces.setdefault(node, self.namespace)
                if isinstance(node, s.FunctionDeclaration | s.DeclaredVariable | s.TypeDeclaration):
                    node.order = self.declared

    def _external_declaration(self, start: int) -> None:
        if self.cursor.at("}") and not self.for_another_compiler:
            fail("this '}' closes nothing: there is one too many", self.cursor.token.span)
        if self.cursor.token.kind is TokenKind.PRAGMA:
            self.cursor.advance()
        elif self._for_device():
            self._device_or_refused()
        elif self._maybe_for_device():
            self._lenient_declaration()
        else:
            self.unit.host_functions.add(self.templated_name())
            self._skip_host(start)
        if self.cursor.position == start:  # whatever it is, it must not stop us for ever
            self.cursor.advance()

    # --------------------------------------------------------------------------- what groups declarations
    def _linkage(self) -> bool:
        """Parse extern "C" [{ ... }]."""
        if not (self.cursor.at("extern") and self.cursor.ahead().kind is TokenKind.STRING):
            return False
        self.cursor.advance()
        self.cursor.advance()
        if self.cursor.at("{"):
            self.braced()
        return True

    def braced(self) -> None:
        """Parse { declaration... }."""
        opening = self.cursor.advance()
        self.cursor.deeper()
        while not self.cursor.at_closing_brace("this block", opening.span):
            self.external_declaration()
        self.cursor.nesting -= 1
        self.cursor.advance()

    # -------------------------------------------------------------------------------- device or host?

    def _for_device(self) -> bool:
        return not DEVICE_MARKS.isdisjoint(self.members.head())

    def _maybe_for_device(self) -> bool:
        """Return a type, a constant, an alias: what a kernel may use although nothing marks it."""
        head = behind_template(self.members.head())
        if not head:
            return False
        if head[0] in _TYPE_WORDS or self._is_deduction_guide():
            return True
        stop = next((text for text in head if text in ("(", "=")), ";")
        return stop != "(" or not {"constexpr", "consteval"}.isdisjoint(head)

    def _is_deduction_guide(self) -> bool:
        """Return whether this is 'Class(parameters) -> Class<arguments>'."""
        head = behind_template(self.members.head())
        return head[1:2] == ["("] and "->" in head and self.cursor.kind_of(head[0]) == TYPE_TEMPLATE

    def _deduction_guide(self, template: list[s.TemplateParameter] | None) -> None:
        name = self.cursor.advance()
        none = Specifiers(name.span)
        guide = self.members.function(none, s.NamedType(name.span, name.text), name.text, name.span, template)
        self.unit.deduction_guides.append(guide)

    def _device_or_refused(self) -> None:
        """Read device code; put aside what is not supported, which only matters if it is used, and all that another
        compiler may take."""
        mark, depth, nesting = self.cursor.mark(), len(self.cursor.names.open), self.cursor.nesting
        start = mark[0]
        name, head = self.templated_name(), self.members.head()
        try:
            self._device_declaration()
        except CompileError as error:
            if error.diagnostics[0].refusal is None and not self.for_another_compiler:
                raise
            del self.cursor.names.open[depth:]
            self.cursor.go_back(mark)
            self.cursor.nesting, self.cursor.angle_closes = nesting, False
            self.unreadable.setdefault(name, error)
            if "__global__" in head:
                self.unit.refused[self.namespace + name] = self.cursor.tokens[start].span, error
            self.host_code.skip_host(start)

    def _lenient_declaration(self) -> None:
        """Read a declaration that may be host code: what cannot be read is skipped and remembered by name."""
        mark, depth, nesting = self.cursor.mark(), len(self.cursor.names.open), self.cursor.nesting
        start = mark[0]
        name, known = self.templated_name(), len(self.unit.types)
        try:
            self._device_declaration()
            for declared in self.unit.types[known:]:
                if self.host_code.is_of_host(declared):
                    self.host_code.note(start)
        except CompileError as error:
            if isinstance(error, WrongInAnyCode) and not self.for_another_compiler:
                raise
            self.host_code.note_error(error)
            del self.cursor.names.open[depth:]
            self.cursor.go_back(mark)
            self.cursor.nesting, self.cursor.angle_closes = nesting, False
            self.unreadable.setdefault(name, error)
            if error.diagnostics[0].refusal is not None:  # it may be device code for another compiler
                self.host_code.skip_host(start)
            else:
                self._skip_host(start)
                if self.for_another_compiler:
                    self._doubtful[self.unit.host_code[-1]] = name

    def _skip_host(self, start: int) -> None:
        """Skip host code and remember where it stands."""
        self.host_code.skip_host(start)
        self.host_code.note(start)

    # ------------------------------------------------------------------------------------ declarations
    def _device_declaration(self) -> None:
        if self.cursor.at("typedef"):
            self._type(self.statements.typedef())
        elif self.cursor.at("using"):
            self._type(self.statements.using())
        elif self.cursor.at("static_assert", "_Static_assert"):
            assertion = self.statements.static_assert()
            assert isinstance(assertion, s.StaticAssert)
            self.unit.asserts.append(assertion)
        elif self.cursor.at("template"):
            self._template()
        else:
            self.declaration(None)

    def _type(self, statement: s.Statement) -> None:
        if isinstance(statement, s.TypeDeclaration):
            self.unit.types.append(statement)
        elif isinstance(statement, s.Use):
            self.unit.uses.append(statement)

    def _template(self) -> None:
        """Parse template < parameters > declaration."""
        self.cursor.advance()
        if not self.cursor.at("<"):  # explicit instantiation
            self.host_code.skip_host(self.cursor.position)
            return
        self.cursor.names.enter()
        self.templates += 1
        parameters = self.definitions.template_parameters()
        inner = self.definitions.inner_heads()
        declared = self.templated_name()
        is_variable = self.cursor.kind_of(declared) == VARIABLE_TEMPLATE
        is_new = not is_variable and not self._is_deduction_guide()
        if declared and is_new and not self.method_definitions.qualifier():
            tagged = self.cursor.at("struct", "class", "union", "using")
            self.cursor.names.around[declared] = TYPE_TEMPLATE if tagged else FUNCTION_TEMPLATE
        try:
            if self.cursor.at("concept"):
                self.unit.functions.append(self.concepts.concept(parameters))
            elif self.cursor.at("using"):
                statement = self.statements.using()
                if not isinstance(statement, s.TypeDeclaration):
                    fail("a template can only be declared with 'using name = type'", statement.span)
                statement.template = parameters
                self.unit.types.append(statement)
            else:
                self.declaration(parameters, inner)
        finally:
            self.templates -= 1
            inside = self.cursor.names.leave()
            self.cursor.names.innermost.take(inside, with_kinds=False)

    def templated_name(self) -> str:
        """Return the name that is declared here: of a struct behind its keyword, of a function before its
        parameters."""
        texts = behind_template(self.members.head())
        if texts and texts[0] in ("struct", "class", "union", "using", "enum"):
            return next((x for x in without_attributes(texts[1:]) if x.isidentifier() and x not in STORAGE_WORDS), "")
        position = 0
        while position < len(texts) and texts[position] not in ("(", "=", "["):
            position += 2 if texts[position] in ATTRIBUTES else 1
            if position < len(texts) and texts[position - 1] == "(":  # the arguments of an attribute
                position = texts.index(")", position) + 1 if ")" in texts[position:] else len(texts)
        position -= 1
        if 0 <= position < len(texts) and texts[position] in (">", ">>"):  # name<arguments>(
            position = opening_angle(texts, position) - 1
        return texts[position] if 0 <= position < len(texts) else ""

    def declaration(
        self, template: list[s.TemplateParameter] | None, inner: Sequence[list[s.TemplateParameter]] = ()
    ) -> None:  # fmt: skip
        """Parse the definition of a type, variables or a function, with its ``template`` parameters, and those of
        ``inner`` templates where it is a member of one."""
        if qualifier := self.method_definitions.qualifier():
            self.method_definitions.definition(qualifier, template, inner)
            return
        if self._is_deduction_guide():
            self._deduction_guide(template)
            return
        is_struct = self.cursor.at("struct", "class", "union") and self.cursor.ahead(2).text != "::"
        found = self.types.specifiers()
        if found.defined:
            if isinstance(found.defined.type, s.StructType):
                found.defined.type.template = template
                if template is None:
                    self.unit.functions += found.defined.type.friends
            found.defined.template = template
            self.unit.types.append(found.defined)
        if self.cursor.accept(";"):
            if (template or is_struct) and found.defined is None and isinstance(found.type, s.NamedType):
                declared = s.StructType(found.span, found.type.name, False, template=template, is_defined=False)
                self.unit.types.append(s.TypeDeclaration(found.span, declared.name, declared, template))
            return
        if found.type is None:
            self.statements.refuse_unknown_type()
            self.cursor.unexpected("a type")
        type, name, span = self.types.declarator(found.type)
        if not name:
            self.cursor.unexpected("a name")
        if self.cursor.at("::") and name in self.unreadable:  # a member function of a class that was put aside
            fail_unreadable(name, self.unreadable[name], span)
        if template is not None and self._variable_template(found, type, name, span, template):
            return
        if self.cursor.at("(", "<") and (self.cursor.at("<") or self.members.parameters_ahead()):
            if template is None:
                self.cursor.names.innermost.setdefault(name, VALUE)
            self.unit.functions.append(self.members.function(found, type, name, span, template))
            return
        self.unit.variables.append(self.statements.variable(found, type, name, span))
        if self.cursor.accept(","):
            self.unit.variables += self.statements.init_declarators(found, found.type)
        self.cursor.expect(";", "after the declaration")

    def _variable_template(
        self, found: Specifiers, type: s.TypeSyntax, name: str, span: Span, template: list[s.TemplateParameter]
    ) -> bool:
        """Parse [<arguments>] = value ; as a function without parameters, which each use of the name calls."""
        specialises = None
        if self.cursor.at("<") and self.cursor.kind_of(name) == VARIABLE_TEMPLATE:
            specialises = self.types.template_arguments()
        if not self.cursor.at("=", "{", ";"):
            return False
        if "constexpr" not in found.storage or self.cursor.at(";"):
            VARIABLE_TEMPLATES.stop(span)
        self.cursor.names.around[name] = VARIABLE_TEMPLATE
        self.cursor.accept("=")
        body = s.Compound(span, [s.Return(span, self.expressions.assignment())], span)
        self.cursor.expect(";", "after the declaration")
        storage = frozenset(found.storage)
        self.unit.functions.append(s.FunctionDeclaration(span, name, type, [], body, storage, template, specialises))
        return True
