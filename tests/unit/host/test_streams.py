"""A program's operations are carried out in order, and take place when the model says."""

from warpview.devices import load_device
from warpview.host.channel import SourcePlace
from warpview.host.errors import CudaError, error_table
from warpview.host.streams import DEFAULT, Scheduler
from warpview.host.timing import KERNEL_US, Timeline, copy_us


class Recorder:
    """A scheduler whose operations note their names when they are carried out."""

    def __init__(self):
        self.scheduler, self.done = Scheduler(), []

    def add(self, stream, name, **facts):
        chosen = self.scheduler.streams[stream]
        kind = facts.pop("kind", "kernel")
        return self.scheduler.enqueue(chosen, kind, name, SourcePlace(), lambda: self.done.append(name), **facts)


def test_nothing_is_carried_out_before_something_waits():
    r = Recorder()
    first, second = r.add(DEFAULT, "a"), r.add(DEFAULT, "b")
    assert r.done == []
    r.scheduler.complete([first])
    assert r.done == ["a"]
    r.scheduler.complete([second])
    assert r.done == ["a", "b"]


def test_streams_that_do_not_wait_for_one_another_run_the_last_first():
    r = Recorder()
    one, two = r.scheduler.create(False), r.scheduler.create(False)
    for stream, names in ((one, "ab"), (two, "cd")):
        for name in names:
            r.add(stream, name)
    r.scheduler.complete_all()
    assert r.done == ["c", "d", "a", "b"]


def test_an_event_orders_two_streams():
    r = Recorder()
    one, two = r.scheduler.create(False), r.scheduler.create(False)
    event = r.add(one, "a")
    r.scheduler.streams[two].waits.append(event)
    last = r.add(two, "b")
    r.scheduler.complete([last])
    assert r.done == ["a", "b"]


def test_the_default_stream_waits_for_blocking_streams_and_they_for_it():
    r = Recorder()
    blocking, free = r.scheduler.create(True), r.scheduler.create(False)
    r.add(blocking, "a")
    r.add(free, "x")
    r.add(DEFAULT, "b")
    last = r.add(blocking, "c")
    r.scheduler.complete([last])
    assert r.done == ["a", "b", "c"]


def test_a_copy_takes_as_long_as_the_bus_says():
    h200 = load_device("h200")
    # Recorded on an H200: 16 MiB page-locked in 306.6 us, pageable in 1279 us.
    assert abs(copy_us(h200, "copy to device", 16 << 20, True) / 306.6 - 1) < 0.05
    assert abs(copy_us(h200, "copy to device", 16 << 20, False) / 1279 - 1) < 0.15


def test_copies_and_kernels_of_two_streams_overlap():
    r = Recorder()
    one, two = r.scheduler.create(False), r.scheduler.create(False)
    copies = [r.add(s, "copy", kind="copy to device", duration_us=10.0) for s in (one, two)]
    kernels = [r.add(s, "kernel", duration_us=5.0) for s in (one, two)]
    r.scheduler.complete_all()
    Timeline(r.scheduler.operations).update()
    assert [(op.start_us, op.end_us) for op in copies] == [(0, 10), (10, 20)]  # one engine in each direction
    assert [(op.start_us, op.end_us) for op in kernels] == [(10, 15), (20, 25)]
    assert KERNEL_US > 0


def test_the_error_codes_are_those_of_the_table():
    table = error_table()
    for error in CudaError:
        name = table[error][0].removeprefix("cudaError").removeprefix("cuda")
        assert name.lower() == error.name.replace("_", "").lower()
