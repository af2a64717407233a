"""The facts of a device are written for people to read."""

from itertools import pairwise

from warpview.devices import device_facts, device_keys, load_device


def test_facts_are_the_keys_of_the_files() -> None:
    facts = {(fact.section, fact.key): fact for fact in device_facts(load_device("h200"))}
    assert facts["", "name"].value == "NVIDIA H200"
    assert facts["", "capability"].value == "9.0"
    assert facts["board", "clock_mhz"].value == "1980"
    assert facts["issue_cycles", "alu"].value == "2"
    assert facts["limits", "block_dims"].value == "1024, 1024, 64"
    assert facts["global_memory", "atomics"].value == "yes"
    assert facts["caches", "l2"].value == "62914560 bytes, lines of 128 in sectors of 32, 16 ways"
    assert not facts["caches", "l2"].verified
    assert facts["memory_latency", "shared"].verified


def test_sections_stay_together() -> None:
    sections = [fact.section for fact in device_facts(load_device("8800gtx"))]
    assert len(dict.fromkeys(sections)) == 1 + sum(a != b for a, b in pairwise(sections))


def test_every_unverified_key_is_a_fact() -> None:
    for key in device_keys():
        device = load_device(key)
        marked = {f"{fact.section}.{fact.key}" for fact in device_facts(device) if not fact.verified}
        assert marked == set(device.unverified)
