import numpy as np

from warpview.frontend.ir import const
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type
from warpview.sim.layout import Raw

U32 = Type.U32


def test_each_thread_stores_its_number(workshop):
    out = np.zeros(96, dtype=np.uint32)
    result = workshop.run(lambda b, k: k.store(0, workshop.TID), [out], block=(96, 1, 1))
    assert result.arrays[0].tolist() == list(range(96))
    store = result.counts(Op.ST)
    assert store[Raw.REQUESTS] == 3
    assert store[Raw.SECTORS] == 12
    assert result.findings == []


def test_if_else_meets_again(workshop):
    def kernel(b, k):
        low, high, end = (b.new_block() for _ in range(3))
        p = b.emit(Op.SETP, U32, workshop.TID, const(U32, 8), mod=Cmp.LT)
        x = b.reg(U32, "x")
        b.branch(p, low, high)
        b.place(low)
        b.mov(x, const(U32, 1))
        b.jump(end)
        b.place(high)
        b.mov(x, const(U32, 2))
        b.place(end)
        k.store(0, x)

    for device in ("8800gtx", "h200"):
        result = workshop.run(kernel, [np.zeros(32, dtype=np.uint32)], device=device)
        assert result.arrays[0].tolist() == [1] * 8 + [2] * 24
        assert result.counts(Op.ST)[[Raw.EXECUTED, Raw.LANES]].tolist() == [1, 32]
        assert result.counts(Op.BRA)[Raw.DIVERGENT] == 1
