"""A sample of a launch's blocks is chosen and scaled, and asked for where the launch is long."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sim.estimate import sampling

SCALE = "__global__ void k(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2.0f; }"


def test_a_sample_is_spread_over_the_launch_without_a_stride() -> None:
    blocks = np.arange(64 * 64)
    chosen = sampling.sampled(blocks, 1 / 64)
    assert len(chosen) == 64
    assert (np.diff(chosen) > 0).all()
    assert (chosen // 64 == np.arange(64)).all()  # one of each part
    assert len(np.unique(chosen % 64)) > 32
    assert len(sampling.sampled(blocks, 1e-9)) == 1
    assert sampling.sampled(blocks, 1.0) is blocks


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_the_counters_of_a_sample_are_those_of_the_launch_where_blocks_are_alike(engine: str) -> None:
    program, n = wv.compile(SCALE), 400 * 128
    args = [np.ones(n, np.float32), n]
    whole = wv.simulate(program, 400, 128, args, engine=engine)
    sample = wv.simulate(program, 400, 128, args, engine=engine, sample=0.1)
    for key in ("inst_executed", "global_ld_sectors", "global_st_requests"):
        assert sample.counters[key] == whole.counters[key]
    assert (whole.sample, whole.row.launch["sample_pct"]) == (1.0, "100")
    assert sample.sample == pytest.approx(0.1, abs=0.01)
    assert sample.row.launch["sample_pct"] == f"{100 * sample.sample:.3g}"
    assert 0.05 < (sample.buffers["x"] == 2).mean() < 0.2


@pytest.mark.parametrize("share", [0, -1, 1.5, float("nan"), "half", True])
def test_a_share_is_a_number_up_to_one(share: object) -> None:
    with pytest.raises(wv.LaunchError, match="sample must be"):
        wv.simulate(wv.compile(SCALE), 1, 32, [np.ones(32, np.float32), 32], sample=share)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["profile", "sm"])
@pytest.mark.parametrize("check", [True, False])
def test_a_long_launch_is_asked_about_with_an_estimate(
    monkeypatch: pytest.MonkeyPatch, engine: str, check: bool
) -> None:
    monkeypatch.setattr(sampling, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(sampling, "LONG_SECONDS", 1e-6)
    monkeypatch.setattr("warpview.sim.engine.POLL_SECONDS", 1e-3)
    text = SCALE.replace("x[i] *= 2.0f", "for (int k = 0; k < 300; ++k) x[i] += 1.0f")
    asked: list[float] = []

    def ask(seconds: float) -> float:
        asked.append(seconds)
        return 0.25

    n = 4096 * 128
    run = wv.simulate(
        wv.compile(text), 4096, 128, [np.zeros(n, np.float32), n], engine=engine, check=check, too_long=ask
    )
    assert len(asked) == 1
    assert asked[0] > 0
    assert run.sample == pytest.approx(0.25, abs=0.02)
    changed = run.buffers["x"].reshape(4096, 128)
    assert set(np.unique(changed)) == {0.0, 300.0}  # what ran before the answer was taken back
    assert (changed == 300).all(axis=1).mean() == pytest.approx(0.25, abs=0.02)


def test_a_sample_is_not_compared_with_the_expected_result() -> None:
    program, n = wv.compile(SCALE), 64 * 128
    args, expect = [np.ones(n, np.float32), n], {"x": np.full(n, 2, np.float32)}
    assert wv.simulate(program, 64, 128, args, expect=expect, sample=0.1).mismatch is None
