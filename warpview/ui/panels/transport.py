"""Show the transport: step back and on, run and pause, speed, and which step this is of how many."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from warpview.ui.commands.actions import Actions
from warpview.ui.drawing.controls import choice_box, text_field
from warpview.ui.drawing.icons import icon
from warpview.ui.drawing.style import dim
from warpview.ui.drawing.theme import Look
from warpview.ui.drawing.values import thousands
from warpview.ui.moving.player import FOLLOWED, FREE, SPEEDS, Player
from warpview.ui.session.memory_usage import MemoryUsage
from warpview.ui.views.context import RunLike

BUTTONS = ("first", "previous", "play", "next", "last")  # ids of their actions


class Transport(QWidget):
    """Show the buttons of stepping, which are the actions of the same name, and the player's speed and mode."""

    step_wanted = Signal(int)

    def __init__(self, look: Look, actions: Actions, player: Player) -> None:
        super().__init__()
        self._look, self._player = look, player
        self._memory: MemoryUsage | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self.buttons: dict[str, QToolButton] = {}
        for name in BUTTONS:
            button, action = QToolButton(), actions[name]
            button.setToolTip(action.toolTip())
            button.setAccessibleName(action.text())
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setAutoRepeat(name in ("previous", "next"))
            button.clicked.connect(action.trigger)
            self.buttons[name] = button
            row.addWidget(button)
        self.mode = choice_box("Step by", "The unit of a step, for → and for running; jumps stay with what is followed")
        for key, words in (FREE | FOLLOWED).items():
            self.mode.addItem(words, key)
        self.mode.insertSeparator(len(FREE))
        self.mode.activated.connect(lambda n: self._on_mode(actions))
        player.mode_changed.connect(self._show_mode)
        row.addSpacing(4)
        row.addWidget(self.mode)
        self.speed = QSlider(Qt.Orientation.Horizontal)
        self.speed.setRange(0, len(SPEEDS) - 1)
        self.speed.setValue(player.speed)
        self.speed.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.speed.setAccessibleName("Speed")
        self.speed.valueChanged.connect(player.set_speed)
        self.speed_words = QLabel()
        row.addWidget(self.speed)
        row.addWidget(self.speed_words)
        self.step = text_field("Step", "Type a step to jump to it (J)")
        self.step.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.step.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._range = QIntValidator(0, 0, self.step)
        self.step.setValidator(self._range)
        self.step.returnPressed.connect(self._on_typed)
        self._step_label, self.steps_label = QLabel("step"), QLabel()
        player.playing_changed.connect(lambda _: self.restyle())
        player.speed_changed.connect(self._show_speed)
        look.changed.connect(self.restyle)
        self._show_speed()
        self.restyle()

    def step_field(self) -> QWidget:
        """Return the field 'step [ 214 ] of 3 812', to be placed beside the history."""
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
        dim(self._step_label)
        for widget in (self._step_label, self.step, self.steps_label):
            row.addWidget(widget)
        return holder

    def set_run(self, run: RunLike | None) -> None:
        steps = run.trace.steps if run is not None else 0
        self._range.setTop(steps)
        more = run is not None and run.trace.truncated
        self.steps_label.setText(f"of {thousands(steps)}{' (cut off)' if more else ''}")
        self._fit()

    def show_memory(self, usage: MemoryUsage) -> None:
        """Say on hover what the session holds in memory, and what bounds it."""
        if usage != self._memory:
            self._memory = usage
            self.steps_label.setToolTip(usage.details)

    def show_step(self, step: int) -> None:
        self.step.setText(str(step))

    def _on_typed(self) -> None:
        self.step_wanted.emit(int(self.step.text()))
        self.step.clearFocus()

    def _on_mode(self, actions: Actions) -> None:
        """Set the mode of stepping; following is left to the actions, because an element has to be asked for."""
        mode = self.mode.currentData()
        if mode in FREE:
            self._player.set_mode(mode)
        elif mode != self._player.mode:
            actions[f"follow_{mode}"].trigger()
        self._show_mode()

    def _show_mode(self) -> None:
        self.mode.setCurrentIndex(self.mode.findData(self._player.mode))

    def _show_speed(self) -> None:
        self.speed.setValue(self._player.speed)
        rate = SPEEDS[self._player.speed]
        self.speed_words.setText(f"{rate:g}/s")
        self.speed.setToolTip(f"{rate:g} steps per second ([ slower, ] faster)")

    def set_tight(self, tight: bool, tightest: bool) -> None:
        """Leave the room of the slider to the history, and in the tightest window that of the mode and of the word
        "step"; keys set them as well."""
        for widget in (self.speed, self.speed_words):
            widget.setVisible(not tight)
        self.mode.setVisible(not tightest)
        self._step_label.setVisible(not tightest)

    def _fit(self) -> None:
        """Fit the widths that follow from the font."""
        text, look = QFontMetrics(self._look.font()), self._look
        digits = max(4, len(str(self._range.top())))
        self.step.setFixedWidth(text.horizontalAdvance("0" * digits) + look.px(20))
        self.speed_words.setMinimumWidth(text.horizontalAdvance("0.5/s "))
        self.speed.setFixedWidth(look.px(80))
        self.speed.setMinimumHeight(look.px(18))

    def restyle(self) -> None:
        colour = self._look.theme.qcolor("text")
        for name, button in self.buttons.items():
            shown = "pause" if name == "play" and self._player.playing else name
            button.setIcon(icon(shown, colour))
            button.setIconSize(QSize(self._look.px(20), self._look.px(20)))
        self._fit()
