"""Mangled names of kernels and variables, as NVRTC 13.0 writes them, are shown as the source has them."""

import pytest

from warpview.sass.demangle import demangled, variable_names

NAMES = {
    "_Z7reduce6ILj128EEvPKiPii": "reduce6<128>",
    "_ZN5TableIJLi0ELi1ELin2EEE1vE": "Table<0,1,-2>::v",
    "_ZN3geo3BoxIdE2loE": "geo::Box<double>::lo",
    "_ZN2ns4kernIfN2ab1CIiEELb1EEEvT_": "ns::kern",
    "_ZN2ns3BoxIN2ab1CIiEEE5valueE": "ns::Box::value",
    "_ZZ1kPfiE5local": "local",
    "_ZZ6kernelIiEvPT_E5table_0": "table",
    "_Z6primesIfE": "primes<float>",
    "_ZN6Consts1wE": "Consts::w",
    "plain": "plain",
}


@pytest.mark.parametrize(("mangled", "name"), NAMES.items())
def test_names(mangled: str, name: str) -> None:
    assert demangled(mangled) == name


def test_variables_have_their_classes_where_two_have_one_name() -> None:
    shown = variable_names(["_ZN1AIiE1vE", "_ZN1BIfE1vE", "_ZN1C1wE"])
    assert list(shown.values()) == ["A<int>::v", "B<float>::v", "w"]
