"""Turn exceptions and the findings of a run into diagnostics for the banner. Qt-free."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from warpview.diagnostics import CompileError, Diagnostic, LaunchError, WarpviewError
from warpview.run.result import sample_words
from warpview.sim.checks.findings import Finding
from warpview.ui.session.backend import Variant
from warpview.ui.views.context import RunLike

log = logging.getLogger(__name__)
RUN_THE_PROGRAM = "Ctrl+F5 runs the program, which launches the kernel with its own arguments."

SET_ARGUMENTS = "The button … beside Run sets the grid, the block and all arguments."


def launch_advice(variant: Variant, other_device: str) -> str:
    """Return what helps where a kernel was not launched; ``other_device`` is the advice to choose one, '' for none."""
    return RUN_THE_PROGRAM if variant.is_program else other_device or ("" if variant.family else SET_ARGUMENTS)


def diagnostics_of(problem: Exception) -> list[Diagnostic]:
    """Return the messages to the user about an exception; an unforeseen one is also logged with its traceback."""
    if isinstance(problem, CompileError):
        return list(problem.diagnostics)
    if isinstance(problem, OSError) and problem.filename:
        words = f"could not open {Path(problem.filename).name}: {(problem.strerror or str(problem)).lower()}"
        return [Diagnostic(words, hint=f"{problem.filename}. Ctrl+O opens another.")]
    if isinstance(problem, (WarpviewError, OSError)):
        return [Diagnostic(str(problem))]
    log.error("unexpected %s", type(problem).__name__, exc_info=problem)
    words = f"Something went wrong inside warpview: {type(problem).__name__}: {problem}"
    return [Diagnostic(words, hint="The run shown is still the last good one.")]


def advised_diagnostics(problem: Exception, advice: str) -> list[Diagnostic]:
    """Return the messages about an exception, those about a launch with advice where they have none."""
    found = diagnostics_of(problem)
    if not isinstance(problem, LaunchError):
        return found
    return [replace(each, hint=each.hint or advice) for each in found]


def findings_of(run: RunLike) -> list[Diagnostic]:
    """Return that a run is a sample, and its findings in the order in which they were made, a wrong result last."""
    sample = [Diagnostic(sample_words(run), severity="warning")] if run.sample < 1 else []
    return sample + [problem_of(finding) for finding in run.findings]


def problem_of(finding: Finding) -> Diagnostic:
    """Return a finding as the banner shows it."""
    times = f" ({finding.count} times)" if finding.count > 1 else ""
    return Diagnostic(f"{finding.kind}: {finding.message}{times}", finding.span, "warning")
