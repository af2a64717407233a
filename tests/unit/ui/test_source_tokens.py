"""Words of CUDA C++ are told by their kind."""

from warpview.ui.views.source.tokens import KINDS, next_in_comment, tokens


def _kinds(line, in_comment=False):
    return [(line[t.start : t.start + t.length], t.kind) for t in tokens(line, in_comment)[0]]


def test_words_have_their_kind():
    assert _kinds("__global__ void k(float* a) { a[threadIdx.x] = 0x1Fu; } // if") == [
        ("__global__", "builtin"), ("void", "type_"), ("float", "type_"), ("threadIdx", "builtin"), ("0x1Fu", "number"),
        ("// if", "comment"),
    ]  # fmt: skip
    assert _kinds("#define N 4") == [("#define", "builtin"), ("4", "number")]
    assert _kinds('"if // \\" 1" else') == [('"if // \\" 1"', "string"), ("else", "keyword")]
    assert {kind for line in ("return 1;", "'a'", "int /* b */", "atomicAdd") for _, kind in _kinds(line)} == set(KINDS)


def test_a_comment_goes_on_over_lines():
    assert tokens("a /* b", False)[1]
    assert _kinds("a /* b") == [("/* b", "comment")]
    assert _kinds("if", in_comment=True) == [("if", "comment")]
    assert _kinds("c */ if", in_comment=True) == [("c */", "comment"), ("if", "keyword")]


def test_what_the_next_line_begins_with_is_what_the_tokens_say():
    lines = ("int a;", "// /*", '"/*"', "/* a", "/* a */", "*/ int", "*/ /*", "/* // */ /*", "")
    for line in lines:
        for before in (False, True):
            assert next_in_comment(line, before) == tokens(line, before)[1], (line, before)
