"""Show the launch bar: kernel, device, the sizes and arguments of the launch, Run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from warpview.diagnostics import Diagnostic, LaunchError
from warpview.library import preset_name
from warpview.ui.drawing.controls import choice_box, small_button
from warpview.ui.drawing.style import bold, dim, mark
from warpview.ui.drawing.theme import Look
from warpview.ui.panels.arguments_dialog import ArgumentsDialog
from warpview.ui.panels.kernel_box import KernelBox
from warpview.ui.panels.launch_model import extent, number, scalars, shown, whole, with_scalar
from warpview.ui.panels.sentence import sentence
from warpview.ui.session.backend import Setup, Variant
from warpview.ui.session.catalogue import device_words
from warpview.ui.session.file_kinds import is_machine_code
from warpview.ui.session.session import Session

Reader = tuple[str, Callable[[str, str], object]]  # what a field holds, and what reads its text
MOST_OFFERED = 40  # kernels in sight; there are fewer where the screen is lower
ALL_ARGUMENTS = "All arguments (and the whole launch: grid, block, shared memory, cluster)"
PRESET_FRAME = 36  # pixels around the text of the box of launches
DEVICE_FRAME = 44  # and of the box of devices
ROOMY = 1400  # pixels at normal type from which on fields that the kernel does not use are shown, too
WHOLE, LEAST = 44, 12  # digits of the kernel and of the device: most before a field is shown, and least
READABLE = 24  # digits of the name of a launch, at most
MOST_SCALARS = 2  # fields for scalar arguments in the bar; the others are in the dialog


class LaunchField(QLineEdit):
    """Say when another widget of the window gets the keyboard; Qt's ``editingFinished`` does not after Enter."""

    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.left.emit()


class LaunchBar(QWidget):
    """Show the session's setup and change it. Enter in a field, or Run, takes the fields and runs."""

    doubtful = Signal(str)  # why a field, as it is being typed, cannot be read
    wrong = Signal(object)  # list[Diagnostic]: a field that cannot be read
    run_wanted = Signal()
    code_wanted = Signal()  # the code that does not run now is to run

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session, self._look = session, look
        self._shown: Setup | None = None
        self.kernel, self.device = KernelBox(), choice_box("Device", "The simulated device (Shift+K searches)")
        self.kernel.setMaxVisibleItems(MOST_OFFERED)
        self.code = choice_box(
            "Code", "The code to run: the kernel as written, or as compiled by NVIDIA (Ctrl+Shift+N)"
        )
        self.code.addItems(["as written", "as compiled"])
        self.preset = choice_box("Launch", "A launch that comes with the kernel")
        self.preset.setPlaceholderText("program")  # of a launch of a program that ran, which is no preset
        tip = "The launch to step through; those before it run first (Ctrl+→, Ctrl+←)"
        self.launch = choice_box("Launch of the series", tip)
        self.grid, self.block, self.shared, self.cluster = (LaunchField() for _ in range(4))
        self.scalar_fields = [(QLabel(), LaunchField()) for _ in range(MOST_SCALARS)]
        self.more = small_button("…", ALL_ARGUMENTS, self.edit_arguments)
        self.run = QPushButton("Run")
        mark(self.run, "primary", True)
        bold(self.run)
        self.run.setToolTip("Compile and run (F5)")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self._build()
        self.run.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for device in session.catalogue.devices:
            self.device.addItem(f"{device.name}  ({device_words(device)})", device.key)
            self.device.setItemData(self.device.count() - 1, device_words(device), Qt.ItemDataRole.ToolTipRole)
        self._fill_kernels()
        self.kernel.activated.connect(lambda _: session.choose(self.kernel.currentData()))
        self.device.activated.connect(lambda _: session.set_device(self.device.currentData()))
        self.code.activated.connect(lambda index: self.code_wanted.emit() if index != self._code_shown() else None)
        self.preset.activated.connect(lambda _: session.set_preset(self.preset.currentData()))
        self.launch.activated.connect(session.set_traced)
        self.run.clicked.connect(lambda: self.run_wanted.emit())
        session.setup_changed.connect(self.show_setup)
        session.variant_changed.connect(self._on_variant)
        session.launches_changed.connect(self._on_variant)
        session.compatibility_changed.connect(self._fill_kernels)
        look.changed.connect(self._fill_kernels)
        look.changed.connect(self._fit)
        self._on_variant(session.variant)

    def _build(self) -> None:
        self._row.addWidget(self.kernel, 1)
        self._row.addWidget(self.device)
        self._row.addWidget(self.code)
        self._row.addWidget(self.preset)
        self._row.addWidget(self.launch)
        self._labels = {self.grid: QLabel("grid"), self.block: QLabel("block")}
        self._labels |= {self.shared: QLabel("shared"), self.cluster: QLabel("cluster")}
        self._labels |= {field: label for label, field in self.scalar_fields}
        for field in self._fields():
            dim(self._labels[field])
            self._row.addWidget(self._labels[field])
            self._row.addWidget(field)
            field.setAccessibleName(self._labels[field].text())
        self.shared.setAccessibleName("dynamic shared memory, bytes")
        self.shared.setToolTip("Dynamic shared memory per block, in bytes")
        self.cluster.setToolTip("Blocks in a thread block cluster, as grid and block")
        self._row.addWidget(self.more)
        self._row.addWidget(self.run)
        for field in self._fields():
            field.returnPressed.connect(lambda: self.run_wanted.emit())
            field.textEdited.connect(lambda _, field=field: self._on_typed(field))
            field.left.connect(partial(self._leave, field))
        self._tips: dict[QLineEdit, str] = {field: field.toolTip() for field in self._fields()}
        self._fit()

    def _show_fields(self) -> None:
        """Show the fields for which there is room; "…" has all of them.

        The field of dynamic shared memory is shown where the kernel uses some, and otherwise in a wide window; that of
        clusters where the launch asks for them.
        """
        setup, digit = self._session.setup, self.fontMetrics().horizontalAdvance("0")
        used = setup.shared_bytes > 0 or "extern" in setup.text
        self._fit_names()
        names = sum(
            min(box.fontMetrics().horizontalAdvance(box.currentText()) + DEVICE_FRAME, WHOLE * digit)
            for box in (self.kernel, self.device)
        )
        left = self.width() - self._needed(names)
        for field in self._fields():
            label = self._labels[field]
            wanted = bool(label.text()) and (field is not self.shared or used or self.width() >= self._look.px(ROOMY))
            wanted = wanted and (field is not self.cluster or setup.asked_cluster is not None)
            if wanted:  # none is shown after one that has no room
                left -= label.sizeHint().width() + field.minimumWidth() + 2 * self._row.spacing()
            for widget in (label, field):
                widget.setVisible(wanted and left >= 0)

    def _needed(self, names: int) -> int:
        """Return the width of all but the fields, where the kernel and the device take ``names``."""
        rest = [box for box in (self.code, self.preset, self.launch) if not box.isHidden()]
        boxes = (*rest, self.more, self.run)
        widths = [box.sizeHint().expandedTo(box.minimumSize()).boundedTo(box.maximumSize()).width() for box in boxes]
        return names + sum(widths) + (len(widths) + 1) * self._row.spacing()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the size without any field."""
        names = self.kernel.minimumWidth() + self.device.minimumWidth()
        return QSize(self._needed(names), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._show_fields()

    def _fields(self) -> Iterable[LaunchField]:
        """Return the fields, the more important ones first."""
        return (self.grid, self.block, *(field for _, field in self.scalar_fields), self.shared, self.cluster)

    def _fit(self) -> None:
        digit = self.fontMetrics().horizontalAdvance("0")
        of_scalars = [field for _, field in self.scalar_fields]
        for field in self._fields():
            field.setFixedWidth(digit * (7 if field in of_scalars else 5) + 18)
        self._fit_names()
        self._fit_choices()

    def _fit_names(self) -> None:
        """Give kernel and device a width in which a name can be told, or all that there is beside the other boxes."""
        least = self.fontMetrics().horizontalAdvance("0") * LEAST
        for box in (self.kernel, self.device):
            box.setMinimumWidth(max(1, min(least, (self.width() - self._needed(0)) // 2)))

    def _fit_choices(self) -> None:
        """Give the boxes of devices and launches what the name shown takes, and their lists what the longest one
        does. The launches of an own file are called after its kernels."""
        digit = self.fontMetrics().horizontalAdvance("0")
        width, name = (
            box.fontMetrics().horizontalAdvance(box.currentText() or box.placeholderText())
            for box in (self.device, self.preset)
        )
        self.device.setMaximumWidth(max(width + DEVICE_FRAME, self.device.minimumWidth()))
        self.preset.setFixedWidth(max(5 * digit, min(name, READABLE * digit)) + PRESET_FRAME)
        for box in (self.device, self.preset):
            box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + DEVICE_FRAME)

    # ---- session to fields

    def _fill_kernels(self) -> None:
        self.kernel.fill(self._session, self._look)

    def _on_variant(self, variant: Variant) -> None:
        self._fill_kernels()
        self.preset.clear()
        for preset in variant.presets:
            self.preset.addItem(preset_name(preset.key), preset.key)
            self.preset.setItemData(self.preset.count() - 1, preset.title, Qt.ItemDataRole.ToolTipRole)
        self.preset.setVisible(bool(variant.presets))
        self._shown = None
        self.show_setup(self._session.setup)

    def show_setup(self, setup: Setup) -> None:
        """Show another launch; fields that are being changed stay while only the source is typed in."""
        launch = replace(setup, text="", edited=False)
        if launch == self._shown:
            return
        self._shown = launch
        self.kernel.setCurrentIndex(self.kernel.findData(setup.variant))
        self.device.setCurrentIndex(self.device.findData(setup.device))
        self.code.setCurrentIndex(self._code_shown())
        chosen = self._session.catalogue.device(setup.device)
        compiled = chosen is not None and bool(chosen.sass)
        self.code.setVisible((setup.by_nvidia or compiled) and not is_machine_code(setup.file_name))
        self.preset.setCurrentIndex(self.preset.findData(setup.preset))
        self._fit_choices()
        self._show_launches(setup)
        names = list(scalars(setup.arguments))
        for n, (label, field) in enumerate(self.scalar_fields):
            label.setText(names[n] if n < len(names) else "")
            field.setAccessibleName(f"argument {names[n]}" if n < len(names) else "")
        for edit, text in self._texts(setup).items():
            edit.setText(text)
        self._show_fields()
        for field in self._fields():
            self._check(field)

    def _texts(self, setup: Setup) -> dict[QLineEdit, str]:
        """Return what stands in each field for a setup."""
        shape, values = self._shape(setup), list(scalars(setup.arguments).values())
        fields = [field for _, field in self.scalar_fields]
        return {
            self.grid: shown(shape.grid), self.block: shown(shape.block), self.shared: str(shape.shared_bytes),
            self.cluster: shown(setup.cluster), **dict(zip(fields, [*values, *("" for _ in fields)], strict=False)),
        }  # fmt: skip

    def _leave(self, field: QLineEdit) -> None:
        """Restore a field that is left with something in it that cannot be read: what runs is what it said before."""
        if self._check(field):
            field.setText(self._texts(self._session.setup)[field])
            self._check(field)

    def _code_shown(self) -> int:
        return int(self._session.setup.by_nvidia)

    def _show_launches(self, setup: Setup) -> None:
        launches = self._session.launches()
        self.launch.setVisible(len(launches) > 1)
        if self.launch.count() != len(launches):
            self.launch.clear()
            self.launch.addItems([f"launch {n} of {len(launches)}" for n in range(1, len(launches) + 1)])
        for n, stage in enumerate(launches):
            words = f"{stage.kernel}, grid {shown(stage.grid)}, block {shown(stage.block)}"
            self.launch.setItemData(n, words, Qt.ItemDataRole.ToolTipRole)
        self.launch.setCurrentIndex(min(setup.traced, len(launches) - 1))

    def _shape(self, setup: Setup) -> Setup:
        """Return the setup with the shape of the launch that is traced; what the user typed holds for every launch."""
        launches = self._session.launches()
        if setup.traced >= len(launches):
            return setup
        first, own = launches[0], launches[setup.traced]
        return replace(
            setup,
            grid=own.grid if setup.grid == first.grid else setup.grid,
            block=own.block if setup.block == first.block else setup.block,
            shared_bytes=own.shared_bytes if setup.shared_bytes == first.shared_bytes else setup.shared_bytes,
        )

    # ---- fields to session

    def take(self) -> bool:
        """Put the fields into the session's setup; False (and ``wrong``) if one cannot be read."""
        problems = list(filter(None, map(self._check, self._fields())))
        if problems:
            self.wrong.emit([Diagnostic(words) for words in problems])
            return False
        changed = self._typed()
        if changed:
            self._session.set_launch(**changed)
        return True

    def _typed(self) -> dict[str, Any]:
        """Return what the fields, which can be read, change in the setup."""
        arguments = dict(self._session.setup.arguments)
        for label, field in self.scalar_fields:
            if label.text():
                arguments = with_scalar(arguments, label.text(), field.text())
        fields = {
            "grid": extent(self.grid.text(), "grid"), "block": extent(self.block.text(), "block"),
            "shared_bytes": whole(self.shared.text(), "shared"), "arguments": arguments,
            "cluster": extent(self.cluster.text(), "cluster"),
        }  # fmt: skip
        shape = self._shape(self._session.setup)
        return {name: value for name, value in fields.items() if getattr(shape, name) != value}

    def _check(self, field: QLineEdit) -> str:
        """Mark the field if what is in it cannot be read, and say why not; '' where it can."""
        name, read = self._readers()[field]
        words = ""
        try:
            if name:
                read(field.text(), name)
        except LaunchError as problem:
            words = str(problem)
        field.setToolTip(f"⚠ {words}" if words else self._tips.get(field, ""))
        mark(field, "wrong", bool(words))
        return words

    def _on_typed(self, field: QLineEdit) -> None:
        words = self._check(field)
        if words:
            self.doubtful.emit(f"⚠ {sentence(words)}.")

    def _readers(self) -> dict[QLineEdit, Reader]:
        """Return the fields with the name and the reader of each; a field not in use has no name."""
        device = self._session.catalogue.device(self._session.setup.device)
        most = device.max_threads_per_block if device is not None else None
        fixed: dict[QLineEdit, Reader] = {
            self.grid: ("grid", extent), self.block: ("block", partial(extent, most=most)),
            self.shared: ("shared memory", whole), self.cluster: ("cluster", extent),
        }  # fmt: skip
        return {**fixed, **{field: (label.text(), number) for label, field in self.scalar_fields}}

    def edit_arguments(self) -> bool:
        """Ask for the shape of the launch and all arguments, and run; return whether the user confirmed them."""
        session, shape = self._session, [self.grid, self.block, self.shared]
        device = session.catalogue.device(session.setup.device)
        if session.setup.asked_cluster is not None or (device is not None and device.largest_cluster):
            shape.append(self.cluster)
        sizes = session.preset.sizes if session.preset is not None else {}
        readable = not any(map(self._check, self._fields()))
        setup = replace(session.setup, **self._typed()) if readable else session.setup
        given = session.backend.arguments(setup)
        dialog = ArgumentsDialog(setup, sizes, self, [(self._labels[f].text(), f.text()) for f in shape], given)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()  # else each one stays with the bar
        if not accepted:
            return False
        if session.setup.program_launch is None:
            session.set_launch(arguments=dialog.arguments())
        for field, answer in zip(shape, dialog.shape_fields, strict=True):
            field.setText(answer.text())
        self.run_wanted.emit()
        return True

    def confirm_arguments(self) -> None:
        """Ask for arguments of which only the sizes are known, and run."""
        if not self.edit_arguments():
            self.doubtful.emit("Nothing has run yet: F5 runs the kernel with these guessed arguments.")
