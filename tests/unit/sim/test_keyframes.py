import numpy as np
import pytest

from warpview.sim.history.keyframes import (
    FIRST_INTERVAL,
    LAST_INTERVAL,
    HistoryCost,
    Keyframe,
    KeyframeHistory,
    MemoryChanges,
)

STATE = np.zeros(1000)


def history(limit: int = 1 << 30, stretches: int = 5, length: int = 7, writes: int = 3):
    """Draw stretches in which every event changes some words of a memory of 20; return also memory after each."""
    random = np.random.default_rng(1)
    words = np.zeros(20, dtype=np.uint32)
    truth = [words.copy()]
    keyframes = KeyframeHistory(limit, STATE.nbytes, HistoryCost())
    for k in range(stretches):
        end, word, old, new = [], [], [], []
        for _ in range(length):
            for place in random.integers(0, len(words), writes):
                word.append(place)
                old.append(words[place])
                words[place] = random.integers(1, 1000)
                new.append(words[place])
            end.append(len(word))
            truth.append(words.copy())
        changes = MemoryChanges(np.array(end), *(np.array(a, dtype=np.uint32) for a in (word, old, new)))
        keyframes.room()
        keyframes.append(Keyframe(k * length, (STATE,)), changes)
    return keyframes, truth


def test_memory_goes_to_any_step_from_any_other():
    keyframes, truth = history()
    for start in range(0, len(truth), 3):
        for goal in range(len(truth)):
            words = truth[start].copy()
            keyframes.move_memory(words, start, goal)
            assert words.tolist() == truth[goal].tolist()


@pytest.mark.parametrize("limit", [50_000, 20_000, 10_000])
def test_a_full_history_keeps_every_change(limit):
    keyframes, truth = history(limit)
    assert (len(keyframes.keyframes) < 5) == (limit < 50_000)
    words = truth[-1].copy()
    keyframes.move_memory(words, len(truth) - 1, 4)
    assert words.tolist() == truth[4].tolist()


def test_stretches_by_step():
    keyframes, _ = history()
    assert [keyframes.at(s) for s in (0, 6, 7, 13, 14, 34, 35)] == [0, 0, 1, 1, 2, 4, 4]
    assert keyframes.steps.tolist() == [0, 7, 14, 21, 28]


def test_a_history_that_cannot_be_thinned_out_is_full():
    keyframes, _ = history(limit=100)
    assert keyframes.room() == 0
    assert keyframes.interval == LAST_INTERVAL


def test_as_many_steps_are_granted_as_fit_whatever_they_change():
    keyframes = KeyframeHistory(1_000_000, STATE.nbytes, HistoryCost(step=60, keyframe=500, most=1000))
    assert keyframes.room() == (1_000_000 - 8000 - 500) // 1000
    changes = MemoryChanges(np.zeros(100, np.int64), *(np.zeros(0, np.uint32),) * 3)
    keyframes.append(Keyframe(0, (STATE,)), changes)
    assert keyframes.room() == (1_000_000 - 2 * 8500 - 100 * 68) // 1000


def test_a_history_with_room_to_spare_stays_as_dense_as_it_was():
    keyframes = KeyframeHistory(1 << 30, STATE.nbytes, HistoryCost(step=60, keyframe=500, most=1000))
    assert keyframes.room() == FIRST_INTERVAL
