"""The cache of compiled code, and how jitted functions are declared."""

import os
from pathlib import Path

import numba
import platformdirs

from warpview.sim.jit import compile as jit


def test_cache_folder_is_set_only_while_compiling(tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    before = numba.config.CACHE_DIR
    with jit._cache_folder() as cached:
        assert cached
        folder = Path(numba.config.CACHE_DIR)
        assert folder == tmp_path / "warpview" / f"jit-{jit.source_hash()}"
        assert folder.is_dir()
    assert before == numba.config.CACHE_DIR


def test_no_cache_where_no_folder_can_be_made(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / "file" / name))
    with jit._cache_folder() as cached:
        assert not cached


def test_old_caches_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path))
    for age in range(6):
        folder = tmp_path / f"jit-{age}"
        folder.mkdir()
        os.utime(folder, (1000 - age, 1000 - age))
    with jit._cache_folder():
        kept = sorted(p.name for p in tmp_path.iterdir())
    assert kept == sorted([f"jit-{jit.source_hash()}", "jit-0", "jit-1"])


def test_hash_changes_with_any_source(tmp_path, monkeypatch):
    (tmp_path / "isa").mkdir()
    source = tmp_path / "isa" / "ops.py"
    source.write_text("A = 1")
    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    first = jit.source_hash()
    source.write_text("A = 2")
    assert jit.source_hash() != first


def test_one_version_of_a_function_for_all_integers():
    @jit.jit
    def twice(x):
        return x + x

    @numba.njit
    def uses(flag, n):
        return twice(1) + twice(2) + twice(flag) + twice(n)

    assert uses(True, 5) == 18
    assert len(twice.signatures) == 1


def test_loading_reports_progress_and_happens_once():
    jit.load()
    steps = []
    jit.load(lambda done, total: steps.append((done, total)))
    assert steps == []
