"""Parse functions and the members of structs."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.parse import comparisons
from warpview.frontend.parse.attributes import Specifiers
from warpview.frontend.parse.constructors import ConstructorRules
from warpview.frontend.parse.deduced_results import written_result
from warpview.frontend.parse.name_tables import NameTable
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import (
    FUNCTION_TEMPLATE,
    TYPE,
    TYPE_TEMPLATE,
    VALUE,
    behind_template,
    opens_requirements,
    places_outside_types,
    without_attributes,
)
from warpview.frontend.parse.using_declarations import UsingDeclarationRules
from warpview.frontend.parse.words import TAG_WORDS, UNNAMED
from warpview.frontend.preprocess.tokens import TokenKind, fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import DESTRUCTOR
from warpview.frontend.semantic.checks import fail_kernel_result

if TYPE_CHECKING:
    from warpview.frontend.parse.parser import Parser

LONGEST_HEAD = 4000  # tokens
_RUNTIME = re.compile(r"cuda[A-Z]\w*")  # functions of the CUDA runtime, which the host calls
FOR_DEVICE = {"__device__", "constexpr", "consteval"}  # mark a member that kernels may call


class MemberRules(Rules):
    def __init__(self, rules: Parser) -> None:
        super().__init__(rules)
        self.hidden = ""  # PRIVATE or PROTECTED where the members declared here are
        self.shown: set[str] = set()  # the names of functions of this struct that anyone may call
        self.operators: list[tuple[int, int]] = []  # the tokens of those of this struct that are not marked
        self.templates: set[str] = set()  # the names of all member functions that are templates
        self.constructors = ConstructorRules(rules)
        self.using_declarations = UsingDeclarationRules(rules)
        self._head: list[str] = []
        self._head_at = -1, 0  # the position of that head, and how often tokens had been rewritten

    def head(self) -> list[str]:
        """Return the tokens of the declaration that starts here, up to its body, initialiser or end."""
        start = self.cursor.position
        if self._head_at != (start, self.cursor.rewritten):
            texts: list[str] = []
            depth = braces = 0
            for position in range(start, min(start + LONGEST_HEAD, len(self.cursor.tokens))):
                token = self.cursor.tokens[position]
                if token.text == "{" and (braces or opens_requirements(texts)):
                    braces += 1
                elif braces:
                    braces -= token.text == "}"
                elif token.kind is TokenKind.END or (depth == 0 and token.text in (";", "{")):
                    break
                depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
                texts.append(token.text)
            self._head, self._head_at = texts, (start, self.cursor.rewritten)
        return self._head

    def function(
        self, found: Specifiers, result: s.TypeSyntax, name: str, span: Span,
        template: list[s.TemplateParameter] | None,
    ) -> s.FunctionDeclaration:  # fmt: skip
        """Parse [<arguments>] ( parameters ) [qualifiers] ( body | ; ), after the name."""
        specialises = self.rules.types.template_arguments() if self.cursor.at("<") else None
        self.cursor.names.enter()
        parameters, template = self.parameters(template)
        is_const = is_pure = False
        reference = ""
        while self.cursor.at("const", "noexcept", "override", "final", "volatile", "&", "&&", "__attribute__"):
            word = self.cursor.advance().text
            is_const |= word == "const"
            reference = word if word in ("&", "&&") else reference
            found.storage |= {word} & {"override", "final", "volatile"}
            if self.cursor.at("("):
                self.cursor.skip_balanced()
        if self.cursor.accept("->"):
            result = self.rules.types.type_name()
        if "__global__" in found.storage and isinstance(result, s.PlainType) and result.type != t.VOID:
            fail_kernel_result(span)
        if "__global__" in found.storage and any(p.name == s.ELLIPSIS for p in template or ()):
            fail("a kernel cannot have '...' among its parameters", span)
        constraints = self.rules.concepts.clause()
        body = self.rules.statements.function_body(name) if self.cursor.at("{") else None
        result = written_result(result, body)
        self.cursor.names.leave()
        is_defaulted = body is None and comparisons.is_defaulted(self.cursor, name)
        if body is None:
            if "virtual" in found.storage or self.cursor.ahead().text == "delete":
                is_pure = bool(self.cursor.accept("=")) and self.cursor.advance().text == "0"  # else it is deleted
            self.cursor.expect(";", "after the declaration of the function")
        return s.FunctionDeclaration(
            span, name, result, parameters, body, frozenset(found.storage), template, specialises, found.launch_bounds,
            found.cluster_dims, is_const, constraints=constraints, is_pure=is_pure, is_defaulted=is_defaulted,
            explicit_if=found.explicit_if, reference=reference,
        )  # fmt: skip

    def parameters_ahead(self) -> bool:
        """Return whether '(' opens parameters rather than the arguments of a constructor."""
        if self.cursor.ahead().text in (")", "..."):
            return True
        self.cursor.position += 1
        found = self.rules.types.at_type() or (
            self.cursor.token.kind is TokenKind.NAME and self.cursor.ahead().kind is TokenKind.NAME
        )
        self.cursor.position -= 1
        if not found:  # parameters of a type that nobody declared still have a body behind them
            start = self.cursor.position
            self.cursor.skip_balanced()
            found = self.cursor.at("{")
            self.cursor.position = start
        return found

    def parameters(
        self, template: list[s.TemplateParameter] | None
    ) -> tuple[list[s.Parameter], list[s.TemplateParameter] | None]:
        """Parse the parameters of a function; return them and its template parameters, with that of an ellipsis."""
        further: list[s.TemplateParameter] = []
        parameters = self.rules.parameters.parse(further)
        return parameters, [*(template or ()), *further] if further else template

    def struct_body(self, struct: s.StructType, hidden: str) -> None:
        """Parse { member... }, at first ``hidden`` as PRIVATE or not. Names of base classes are visible."""
        self.cursor.expect("{", "to start the members")
        table = NameTable()
        for base in struct.named_bases:
            inherited = self.cursor.names.at_path([*base.qualifier.split("::")[:-1], base.name])
            if inherited is not None:
                table.used.append(inherited)
        self.cursor.names.enter(table)
        self._declare_types_ahead(struct)
        around = self.hidden, self.operators, self.shown
        self.hidden, self.operators, self.shown = hidden, [], set()
        self.cursor.deeper()
        while not self.cursor.at_closing_brace(f"'{struct.name}'", struct.span):
            self._member(struct)
        comparisons.define(self.rules, struct)
        self.cursor.advance()
        self.cursor.nesting -= 1
        self._note_host_operators(struct)
        constructors = [method for method in struct.methods if method.name == struct.name]
        if all(constructor.is_defaulted for constructor in constructors):  # the struct is as if it had none
            struct.methods = [method for method in struct.methods if method not in constructors]
        struct.hidden = {name: access for name, access in struct.hidden.items() if name not in self.shown}
        self.hidden, self.operators, self.shown = around
        table.struct = struct
        self.cursor.names.leave()
        self.cursor.names.innermost.inner[struct.name] = table

    def _declare_types_ahead(self, struct: s.StructType) -> None:
        """Declare the types among the members, and the functions that are templates: functions may use them above
        their declarations (C++17, 6.3.7)."""
        start, texts = self.cursor.position, ["", ""]
        while not self.cursor.at_closing_brace(f"'{struct.name}'", struct.span):
            if self.cursor.at("{", "("):
                self.cursor.skip_balanced()
                texts = [texts[1], "}"]
                continue
            token, following = self.cursor.token, self.cursor.ahead().text
            is_named = token.kind is TokenKind.NAME
            if token.text == "template" and (name := self._function_template_here(struct)):
                self.cursor.declare(name, FUNCTION_TEMPLATE)
            elif is_named and texts[1] in TAG_WORDS and following in ("{", ":"):
                self.cursor.declare(token.text, TYPE_TEMPLATE if texts[0] == ">" else TYPE)
            elif is_named and texts[1] == "using" and following == "=" and texts[0] != ">":
                self.cursor.declare(token.text, TYPE)
            texts = [texts[1], token.text]
            self.cursor.advance()
        self.cursor.position = start

    def _function_template_here(self, struct: s.StructType) -> str:
        """Return the name of the template of functions that is declared here; none of a constructor or of types."""
        words, name = behind_template(self.head()), self.rules.templated_name()
        is_other = not words or words[0] in (*TAG_WORDS, "using", "friend") or "operator" in words
        return "" if is_other or name == struct.name or "(" not in words else name

    def _member(self, struct: s.StructType) -> None:
        if self.cursor.accept(";"):
            return
        if self.cursor.at("public", "private", "protected") and self.cursor.ahead().text == ":":
            access = self.cursor.advance().text
            self.hidden = "" if access == "public" else access
            self.cursor.advance()
            return
        if "friend" in self.head():
            self._friend(struct)
            return
        if self._host_method(struct):
            return
        template = None
        known, known_methods = len(struct.members), len(struct.methods)
        self.cursor.names.enter()
        if self.cursor.accept("template"):
            template = self.rules.definitions.template_parameters()
            self.rules.templates += 1
        if self.cursor.at("using") and self.cursor.ahead(2).text != "=" and self.cursor.ahead().text != "enum":
            self.using_declarations.parse(struct)
        elif self.cursor.at("using", "typedef"):
            statement = self.rules.statements.using() if self.cursor.at("using") else self.rules.statements.typedef()
            if isinstance(statement, s.Use):
                struct.members.append(statement)
            elif isinstance(statement, s.TypeDeclaration):
                statement.template = template
                struct.members.append(statement)
                self.cursor.names.around[statement.name] = TYPE if template is None else TYPE_TEMPLATE
        elif self.cursor.at("static_assert"):
            assertion = self.rules.statements.static_assert()
            assert isinstance(assertion, s.StaticAssert)
            struct.asserts.append(assertion)
        else:
            head = self.head()
            is_marked = "operator" not in head or FOR_DEVICE & set(head)
            (self.data_or_method if is_marked else self._operator)(struct, template)
            if template is not None and struct.methods:
                self.templates.add(struct.methods[-1].name)
        names = {method.name for method in struct.methods[known_methods:]}
        self._note_access(struct, names.union(*(member.declared_names for member in struct.members[known:])))
        self.rules.templates -= template is not None
        scope = self.cursor.names.leave()
        self.cursor.names.innermost.take(scope, with_kinds=template is None)

    def _note_access(self, struct: s.StructType, names: set[str]) -> None:
        """Note who may use members that are declared here."""
        struct.hidden |= dict.fromkeys(names, self.hidden) if self.hidden else {}
        self.shown |= set() if self.hidden else names

    def _friend(self, struct: s.StructType) -> None:
        """Parse a friend: a function of the file that is defined in the struct, or a declaration, which says nothing
        here."""
        struct.has_friends = True
        if not FOR_DEVICE & set(self.head()):
            while not self.cursor.at(";", "{") and self.cursor.token.kind is not TokenKind.END:
                self.cursor.advance()
            self.cursor.skip_balanced()
            return
        inside = s.StructType(struct.span, struct.name, struct.is_union, fields=struct.fields)
        self.cursor.names.enter()
        template = self.rules.definitions.template_parameters() if self.cursor.accept("template") else None
        self.rules.templates += template is not None
        self.data_or_method(inside, template)
        self.rules.templates -= template is not None
        self.cursor.names.leave()
        struct.friends += [method for method in inside.methods if method.body is not None or method.is_defaulted]

    def _host_method(self, struct: s.StructType) -> bool:
        """Skip a function that is not marked for the device: it may be any C++, and no kernel can call it."""
        head = without_attributes(self.head())
        stops = places_outside_types(head)
        stop = head[stops[0]] if stops else ";"
        is_pointer = stop == "(" and head[stops[0] + 1 :][:1] in (["*"], ["&"])  # to a function or an array
        has_no_body = struct.name in head[:3] and head[-2:] in (["=", "default"], ["=", "delete"])
        if stop in (";", "=") or is_pointer or has_no_body or FOR_DEVICE & set(head):
            return False
        allocates = stop == "operator" and head[head.index("operator") + 1 :][:1] in (["new"], ["delete"])
        if (stop == "operator" and not allocates) or head[0] in (
            "using", "typedef", "static_assert", "struct",
        ):  # fmt: skip
            return False
        struct.has_virtual |= "virtual" in head
        named = head.index("(", stops[0]) - 1
        struct.host_methods.add(DESTRUCTOR if head[named - 1 : named] == ["~"] else head[named])
        self._skip_host_method()
        return True

    def _skip_host_method(self) -> None:
        first = self.cursor.token.span
        while not self.cursor.at("{", ";", "}") and self.cursor.token.kind is not TokenKind.END:
            self.cursor.skip_balanced() if self.cursor.at("(") else self.cursor.advance()
        if self.cursor.at("{"):
            self.cursor.skip_balanced()
            self.rules.unit.host_code.append((first, self.cursor.ahead(-1).span))

    def _operator(self, struct: s.StructType, template: list[s.TemplateParameter] | None) -> None:
        """Parse an operator that is not marked for the device. Kernels may use it here, unlike with nvcc, unless it
        cannot be read, or calls functions of the host."""
        start, depth, nesting = self.cursor.mark(), len(self.cursor.names.open), self.cursor.nesting
        try:
            self.data_or_method(struct, template)
            self.operators.append((start[0], self.cursor.position))
        except CompileError as error:
            del self.cursor.names.open[depth:]
            self.cursor.go_back(start)
            self.cursor.nesting, self.cursor.angle_closes = nesting, False
            head = self.head()
            name = "".join(head[head.index("operator") :]).partition("(")[0]
            self.rules.unreadable.setdefault(f"{struct.name}::{name}", error)
            self._skip_host_method()

    def _note_host_operators(self, struct: s.StructType) -> None:
        for start, end in self.operators:
            tokens = self.cursor.tokens[start:end]
            called = {token.text for token, following in pairwise(tokens) if following.text == "("}
            on_device = {function.name for function in self.rules.unit.functions}
            on_host = struct.host_methods | (self.rules.unit.host_functions - on_device)
            if tokens[-1].text == "}" and (called & on_host or any(_RUNTIME.match(name) for name in called)):
                self.rules.unit.host_code.append((tokens[0].span, tokens[-1].span))

    def data_or_method(self, struct: s.StructType, template: list[s.TemplateParameter] | None) -> None:
        """Parse a member that is no declaration of another kind: types, functions and data."""
        if self.constructors.special(struct, template):
            return
        is_tagged = self.cursor.at(*TAG_WORDS)
        found = self.rules.types.specifiers()
        if is_tagged and isinstance(found.type, s.NamedType) and self.cursor.accept(";"):
            declared = s.StructType(found.span, found.type.name, False, template=template, is_defined=False)
            struct.members.append(s.TypeDeclaration(found.span, declared.name, declared, template))
            return
        if found.defined and self._is_type_alone(struct, found, template):
            return
        if found.type is None and self.cursor.accept("operator"):
            span, type = self.cursor.token.span, self.rules.types.type_name()
            struct.methods.append(self.function(found, type, s.CONVERSION, span, template))
            return
        if found.type is None:
            self.rules.statements.refuse_unknown_type()
            self.cursor.unexpected("a member")
        struct.has_virtual |= "virtual" in found.storage
        self._declarators(struct, found, template)

    def _is_type_alone(
        self, struct: s.StructType, found: Specifiers, template: list[s.TemplateParameter] | None
    ) -> bool:  # fmt: skip
        """Add a type that a member defines, and return whether it declares nothing else; an unnamed struct is a member
        itself then."""
        defined = found.defined
        assert defined is not None
        if template is not None and isinstance(defined.type, s.StructType):
            defined.template = defined.type.template = template
            self.cursor.names.around[defined.name] = TYPE_TEMPLATE
        struct.members.append(defined)
        if not self.cursor.accept(";"):
            return False
        if defined.name == UNNAMED and isinstance(defined.type, s.StructType):
            struct.fields.append(s.MemberDeclaration(found.span, "", defined.type, None, found.align))
        return True

    def _declarators(
        self, struct: s.StructType, found: Specifiers, template: list[s.TemplateParameter] | None
    ) -> None:  # fmt: skip
        """Parse what stands behind the type of members: data with commas between, or a function."""
        assert found.type is not None
        while True:
            type, name, span = self.rules.types.declarator(found.type)
            if not name and self.cursor.accept(":"):
                padding = self.rules.expressions.conditional()
                struct.fields.append(s.MemberDeclaration(span, "", type, width=padding))
            elif not name:
                self.cursor.unexpected("the name of a member")
            elif any(field.name == name for field in struct.fields):
                fail(f"'{struct.name}' has two members of the name '{name}'", span)
            elif self.cursor.at("(") or (template == [] and self.cursor.at("<")):
                if template is None and self.cursor.kind_of(name) in (TYPE, TYPE_TEMPLATE):
                    self.cursor.declare(name, VALUE)  # no longer the type of that name, such as std::plus
                struct.methods.append(self.function(found, type, name, span, template))
                return
            elif "static" in found.storage:
                struct.members.append(s.Declaration(span, [self.rules.statements.variable(found, type, name, span)]))
            else:
                self._data(struct, found, type, name, span)
            if not self.cursor.accept(","):
                break
        self.cursor.expect(";", "after the member")

    def _data(self, struct: s.StructType, found: Specifiers, type: s.TypeSyntax, name: str, span: Span) -> None:
        """Add a member of each object, with its width in bits or its default value where they are written."""
        self.cursor.declare(name, VALUE)
        struct.hides_fields |= bool(self.hidden)
        self._note_access(struct, {name})
        struct.mutable |= {name} if "mutable" in found.storage else set()
        width = self.rules.expressions.conditional() if self.cursor.accept(":") else None
        given = self.rules.attributes.behind(found)
        default, packing = self._default_value(), given.packing
        struct.fields.append(s.MemberDeclaration(span, name, type, default, given.align, width, packing))

    def _default_value(self) -> s.Expression | None:
        """Parse ``= value`` or ``{ values }`` behind the name of a member, where there is one."""
        if self.cursor.accept("="):
            return self.rules.expressions.assignment()
        return self.rules.expressions.init_list() if self.cursor.at("{") else None
