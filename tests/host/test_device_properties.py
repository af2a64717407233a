"""What a program is told of its device equals what an H200 says of itself, and is told of every device."""

import re
from pathlib import Path

import pytest

import warpview as wv
from warpview.devices import device_keys, load_device
from warpview.host.api.array_limits import GATHER, LAYERED, SURFACE, array_fits
from warpview.host.api.device_properties import by_capability, property_values

TRUTH = Path(__file__).parents[1] / "truth" / "properties_h200.txt"
INCLUDE = Path(wv.__file__).parent / "host" / "include" / "warpview"
# Of the machine that the H200 is in.
OF_THE_MACHINE = {
    "pciBusID", "pciDeviceID", "gpuPciDeviceID", "gpuPciSubsystemID", "hostNumaId", "ECCEnabled",
    "asyncEngineCount", "luidDeviceNodeMask",
}  # fmt: skip
# The simulated runtime has none of this.
LACKING = {
    "canUseHostPointerForRegisteredMem", "deferredMappingCudaArraySupported", "gpuDirectRDMAFlushWritesOptions",
    "gpuDirectRDMASupported", "gpuDirectRDMAWritesOrdering", "hostRegisterReadOnlySupported", "ipcEventSupported",
    "memoryPoolSupportedHandleTypes", "sparseCudaArraySupported", "timelineSemaphoreInteropSupported",
    "unifiedFunctionPointers",
}  # fmt: skip


def measured():
    """Properties of the H200 by name, and its attributes by name: number and value."""
    properties, attributes = {}, {}
    for line in TRUTH.read_text().splitlines():
        kind, name, *numbers = line.split()
        if kind == "prop":
            properties[name] = [int(number) for number in numbers]
        elif kind == "attr":
            attributes[name.removeprefix("cudaDevAttr")] = int(numbers[0]), int(numbers[1])
    return properties, attributes


def listed():
    text = (INCLUDE / "device_properties.def").read_text()
    rows = re.findall(r"WV_PROPERT\w+\(([^,]+), (\w+)(?:, (\d+))?\)", text)
    return {name: int(count or 1) for _, name, count in rows}


def attribute_rows():
    text = (INCLUDE / "device_attributes.def").read_text()
    return re.findall(r"WV_ATTRIBUTE\((\w+), (\d+), ([\w\[\]]+)\)", text)


def values_of(device):
    """The numbers that a program is told, by property."""
    known = load_device(device)
    numbers, found = property_values(known, known.memory_bytes), {}
    for name, count in listed().items():
        found[name], numbers = numbers[:count], numbers[count:]
    assert not numbers
    return found


def test_properties_of_the_h200():
    properties, _ = measured()
    told = values_of("h200")
    assert set(properties) - {"luidDeviceNodeMask"} <= set(told)
    differing = {name for name, numbers in properties.items() if told.get(name) != numbers}
    assert differing <= OF_THE_MACHINE | LACKING
    assert all(told[name] == [0] for name in LACKING)


def test_attributes_have_the_numbers_and_values_of_the_h200():
    _, attributes = measured()
    told, compared = values_of("h200"), 0
    for name, number, prop in attribute_rows():
        base, _, place = prop.rstrip("]").partition("[")
        assert attributes[name][0] == int(number)
        if base not in OF_THE_MACHINE | LACKING:
            assert told[base][int(place or 0)] == attributes[name][1], name
            compared += 1
    assert compared > 90


@pytest.mark.parametrize("device", device_keys())
def test_every_device_has_all_of_them(device):
    told = values_of(device)
    assert told["maxTexture2D"][0] >= 65536
    assert told["multiProcessorCount"][0] > 0


def test_older_devices_have_the_limits_of_the_programming_guide():
    assert values_of("8800gtx")["maxTexture2D"] == [65536, 32768]
    assert values_of("8800gtx")["maxSurface1D"] == [0]
    assert [values_of("8800gtx")[name] for name in ("memPitch", "textureAlignment")] == [[262144], [256]]
    assert values_of("8800gtx")["asyncEngineCount"] == values_of("c2050")["managedMemory"] == [0]
    assert values_of("8800gtx")["singleToDoublePrecisionPerfRatio"] == [0]
    assert values_of("c2050")["maxTexture3D"] == [2048, 2048, 2048]
    assert values_of("k40")["maxTexture3D"] == [4096, 4096, 4096]
    assert values_of("gtx980")["maxSurface2D"] == [65536, 65536]
    assert values_of("p100")["maxTexture1D"] == [131072]
    assert values_of("rtx3090")["singleToDoublePrecisionPerfRatio"] == [64]


@pytest.mark.parametrize(
    ("extent", "flags", "fits"),
    [
        ((131072, 0, 0), 0, True), ((131073, 0, 0), 0, False),
        ((131072, 65536, 0), 0, True), ((8, 65537, 0), 0, False),
        ((16384, 16384, 16384), 0, True), ((8192, 8192, 32768), 0, True), ((16384, 8192, 16385), 0, False),
        ((32768, 0, 2048), LAYERED, True), ((32768, 0, 2049), LAYERED, False),
        ((32768, 32768, 2048), LAYERED, True), ((32769, 8, 2), LAYERED, False),
        ((32768, 0, 0), SURFACE, True), ((32769, 0, 0), SURFACE, False),
        ((32769, 8, 0), GATHER, False),
    ],
)  # fmt: skip
def test_arrays_are_as_large_as_textures_can_be(extent, flags, fits):
    assert array_fits((9, 0), extent, flags) is fits


def test_the_first_device_has_no_surfaces():
    assert by_capability((1, 0))["maxSurface2D"] == (0, 0)
    assert not array_fits((1, 1), (64, 64, 0), SURFACE)
