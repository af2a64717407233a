"""The strip above the views says what to press for the run that is missing."""

from warpview.ui.session.backend import Setup
from warpview.ui.session.kept_runs import outdated_words

SHOWN = Setup("reduction/interleaved", "a", "interleaved.cu", "reduce", "8800gtx")
PROGRAM = Setup("/home/me/program.cu", "b", "program.cu", "kernel", "8800gtx")


def test_a_kernel_runs_with_f5_and_a_program_by_its_main() -> None:
    assert outdated_words(SHOWN, PROGRAM, None, "", False, False).endswith("F5 runs this source.")
    words = outdated_words(SHOWN, PROGRAM, None, "", False, False, needs_main=True)
    assert words.endswith("reduction/interleaved. Ctrl+F5 runs the program.")
    assert outdated_words(SHOWN, PROGRAM, None, "", True, False, needs_main=True).endswith("until this source has run.")
