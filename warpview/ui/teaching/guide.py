"""Guide the first minute: the window steps by itself until the user takes over, then hints at one key after another."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from warpview.ui.commands.actions import TABLE, Actions
from warpview.ui.drawing.style import mark
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.player import Player
from warpview.ui.panels.caption import Caption
from warpview.ui.panels.transport import Transport
from warpview.ui.session.landing import Arrival
from warpview.ui.session.session import Session
from warpview.ui.teaching.guide_model import KnownActions

VARIANT = "next_variant"  # done when the run of another variant is there
TOUCHED = "touched"  # among what is known: the window was used before
STEP_MS = 1300  # slow enough to read the caption
MOST_STEPS = 20
INVITATION = "Press *→* to step, *Space* to pause"
STILL = "Press *→* to step, *Space* to run"  # where nothing moves by itself
_TOUCHES = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)


class Guide(QObject):
    """Invite the user to step, and hint at keys. ``settings`` remembers which actions the user knows."""

    def __init__(
        self, session: Session, player: Player, caption: Caption, transport: Transport, actions: Actions, look: Look,
        settings: QSettings,
    ) -> None:  # fmt: skip
        super().__init__(session)
        self._session, self._player, self._caption, self._transport = session, player, caption, transport
        self._look, self._settings = look, settings
        self._known_actions = KnownActions(str(settings.value("known", "")).split())
        self._steps_left = 0
        self._timer = QTimer(self, interval=STEP_MS)
        self._timer.timeout.connect(self._step)
        for row in TABLE:
            if row.id != VARIANT:
                actions[row.id].triggered.connect(partial(self._did, row.id))
        session.run_changed.connect(self._on_run)
        if not self._known_actions.known:
            once = Qt.ConnectionType.SingleShotConnection
            session.run_changed.connect(lambda *_: self._invite(), once)

    # ---- the invitation

    @property
    def inviting(self) -> bool:
        return self._timer.isActive()

    def _invite(self) -> None:
        """Invite the user to step, at the very first start, when the first run is there."""
        moves = self._look.motion
        self._caption.show_hint(INVITATION if moves else STILL)
        self._steps_left = MOST_STEPS
        self._pulse(True)
        if moves:
            self._timer.start()
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]
        self._session.run_changed.connect(self._end)

    def _step(self) -> None:
        if self._steps_left == 0:
            self._timer.stop()
            self._caption.show_hint(STILL)
            return
        self._steps_left -= 1
        self._player.step(True)
        self._pulse(self._steps_left % 2 == 0)

    def _pulse(self, on: bool) -> None:
        mark(self._transport.buttons["next"], "invited", on)

    def _end(self, *_: object) -> None:
        """End the invitation to step for good: at the first key, click or new run."""
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._session.run_changed.disconnect(self._end)
        self._timer.stop()
        self._pulse(False)
        self._caption.show_hint()
        self._known_actions.known.add(TOUCHED)
        self._keep()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() not in _TOUCHES:
            return False
        pausing = self.inviting and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space
        self._end()
        if pausing:  # it ran, so Space pauses; it does not set it going again
            event.accept()
        return pausing

    # ---- the hints

    def _on_run(self, arrival: Arrival) -> None:
        """Hint at what the run of another variant shows, however the variant was chosen."""
        if arrival.before_setup is not None and arrival.before_setup.variant != arrival.setup.variant:
            self._caption.show_hint()  # it was about the kernel before
            self._did(VARIANT)

    def _did(self, action: str, _: object = None) -> None:
        before = len(self._known_actions.known)
        run = self._session.run
        family = bool(self._session.variant.family)
        hint = self._known_actions.did(action, run.counters if run is not None else {}, family)
        if len(self._known_actions.known) != before:  # not at every step: settings are a file
            self._keep()
        if hint is not None:
            self._caption.show_hint(f"*{hint.key}* {hint.words}")

    def _keep(self) -> None:
        self._settings.setValue("known", " ".join(sorted(self._known_actions.known)))
