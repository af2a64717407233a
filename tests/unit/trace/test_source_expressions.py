"""Each token, the one after the mark @, belongs to its expression."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpview.diagnostics import SourceText, Span
from warpview.trace.source_expressions import expression_at


def at(marked: str):
    line, column = (
        marked.count("\n", 0, marked.index("@")) + 1,
        marked.index("@") - marked.rfind("\n", 0, marked.index("@")),
    )
    return expression_at(Span(SourceText("k.cu", marked.replace("@", "")), line, column))


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("int row = blockIdx.y * TILE @+ ty;", "blockIdx.y * TILE + ty"),
        ("int row = blockIdx.y @* TILE + ty;", "blockIdx.y * TILE"),
        ("x = a - b @- c;", "a - b - c"),
        ("x = a @- b - c;", "a - b"),
        ("x = a @- (b - c) * d;", "a - (b - c) * d"),
        ("x = -a @* -b + c;", "-a * -b"),
        ("if (tid @% (2 * s) == 0)", "tid % (2 * s)"),
        ("if (tid % (2 * s) @== 0)", "tid % (2 * s) == 0"),
        ("if (tid % (2 @* s) == 0)", "2 * s"),
        ("for (int k = 0; k @< TILE; k++)", "k < TILE"),
        ("for (int k = 0; k < TILE; k@++)", "k++"),
        ("@++k;", "++k"),
        ("sum @+= a[ty][k] * b[k][tx];", "sum += a[ty][k] * b[k][tx]"),
        ("sum += a[ty][k] @* b[k][tx];", "a[ty][k] * b[k][tx]"),
        ("sum += a[ty]@[k] * b[k][tx];", "a[ty][k]"),
        ("unsigned int s @= f(x, y) + 1;", "s = f(x, y) + 1"),
        ("float *p @= q;", "p = q"),
        ("sdata[tid] = i < n @? input[i] : 0;", "i < n ? input[i] : 0"),
        ("x = a && b @|| c && d;", "a && b || c && d"),
        ("x = thread@Idx.x;".replace("thread@Idx", "@threadIdx"), "threadIdx.x"),
        ("x = threadIdx.@x;", "threadIdx.x"),
        ("x = @fmaxf(a[i], b) + c;", "fmaxf(a[i], b)"),
        ("x = s.left @+ p->next->value;", "s.left + p->next->value"),
        ("y = !@done;", "done"),
        ("y = @!done && more;", "!done"),
        ("y = (float)a @/ b; // not / this", "(float)a / b"),
        ("y = a\n    @+ b;", "a + b"),
        ("y = a /* + */ @+ b;", "a /* + */ + b"),
        ("return a @+ b;", "a + b"),
        ("f(a, b @<< 2, c);", "b << 2"),
        ("if (tid % (2 * s) == 0) sdata[tid] @+= sdata[tid + s];", "sdata[tid] += sdata[tid + s]"),
        ("for (int j = 0; j < n; j++)\n  y[j] @= x[j];", "y[j] = x[j]"),
        ("while (x) *p @= f(x);", "*p = f(x)"),
        ("else y @= x;", "y = x"),
    ],
)
def test_the_expression_of_a_token(marked, text):
    assert at(marked).text == text


@pytest.mark.parametrize(
    ("marked", "row", "element", "array"),
    [
        ("sum += a[@ty][k] * b[k][tx];", "a[ty]", "a[ty][k]", "a"),
        ("sum += a[ty][@k] * b[k][tx];", "a[ty][k]", "a[ty][k]", "a"),
        ("a[ty][tx] = A[row * n + first @+ tx];", "A[row * n + first + tx]", "A[row * n + first + tx]", "A"),
        ("a[ty][tx] @= A[row * n + first + tx];", "", "", ""),
        ("atomicAdd(&local[values@[i]], 1);", "local[values[i]]", "local[values[i]]", "local"),
        ("x = p.cells[@i].mass;", "p.cells[i]", "p.cells[i].mass", "p.cells"),
        ("x = f(a[i], @b);", "", "", ""),
    ],
)
def test_the_subscript_around_it(marked, row, element, array):
    found = at(marked)
    assert (found.row, found.element, found.array) == (row, element, array)


def test_what_is_assigned():
    assert at("int x = a @+ b;").assigned
    assert at("x = y = a @+ b;").assigned
    assert not at("int x = a @+ b * c + d;").assigned
    assert not at("x = (a @+ b) * c;").assigned
    assert at("for (int i = @0; i < n; i++)").assigned
    assert at("x @+= 1;").is_assignment
    assert at("x@++;").is_step


@pytest.mark.parametrize("marked", ["@", "x = a @", "@)", "((@(", "a[@", "@]", "x @+", "@+", "a @? b", "\n\n@;", "'@"])
def test_odd_texts_do_no_harm(marked):
    at(marked)


PIECES = st.sampled_from(
    ["a", "1", "+", "-", "*", "=", "(", ")", "[", "]", "{", "}", ";", ",", "?", ":", ".", "++", "if"]
)


@given(st.lists(PIECES, min_size=1, max_size=12), st.data())
def test_whatever_the_text_is(pieces, data):
    k = data.draw(st.integers(0, len(pieces) - 1))
    found = expression_at(Span(SourceText("k.cu", " ".join(pieces)), 1, len(" ".join(pieces[:k])) + (k > 0) + 1))
    assert found is not None


def test_a_place_without_a_token_has_no_expression():
    source = SourceText("k.cu", "x = 1;")
    assert expression_at(Span(source, 1, 2)) is None
    assert expression_at(Span(source, 5, 1)) is None
