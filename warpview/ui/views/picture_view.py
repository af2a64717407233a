"""The widget side of the views that are pictures: paints a model's Picture, tells what is hot, passes clicks on."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from time import perf_counter

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from warpview.ui.drawing import palette
from warpview.ui.drawing.faces import measure
from warpview.ui.drawing.painting import ends_as_pixels, paint
from warpview.ui.drawing.picture import Hot, Picture, Target, alike
from warpview.ui.drawing.style import fill_itself
from warpview.ui.drawing.theme import Look, Theme
from warpview.ui.moving.selection import Selection
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.view import View

MOTION_S = 0.14
CALM_S = 0.2  # steps that follow faster are shown without motion
GROUND_SHARE = 0.6  # of the marks must stand still from step to step for a picture of them to be worth keeping


class Ground:
    """The first marks of a picture, painted once for as long as the steps leave them as they are."""

    def __init__(self) -> None:
        self._image = QPixmap()
        self._painted = 0  # marks that are in the image
        self._still = 0  # marks that stand still
        self._key: Hashable = None

    def follow(self, before: Picture | None, now: Picture) -> None:
        """Another picture is to be shown."""
        same = alike(before, now) if before is not None else 0
        if not self._painted or same < self._still:
            self._painted, self._still = 0, same if same >= GROUND_SHARE * len(now.marks) else 0

    def paint(self, painter: QPainter, canvas: QWidget, picture: Picture, theme: Theme) -> int:
        """Paint the ground, and say how many marks that were."""
        panel = theme.qcolor("panel")
        ratio = painter.deviceTransform().m11()  # of an export's file, it may be
        key = (theme.name, ratio, canvas.width(), canvas.height())
        if not self._still or not ends_as_pixels(painter):
            painter.fillRect(canvas.rect(), panel)
            return 0
        if key != self._key:
            self._image, self._key, self._painted = QPixmap(canvas.size() * ratio), key, 0
            self._image.setDevicePixelRatio(ratio)
        if not self._painted:
            with QPainter(self._image) as inner:
                inner.fillRect(canvas.rect(), panel)
                paint(inner, picture, partial(palette.colour, theme), last=self._still)
            self._painted = self._still
        painter.drawPixmap(0, 0, self._image)
        return self._still


class PictureCanvas(QWidget):
    """Shows a Picture. Moving marks run once after ``show_picture(..., moving=True)``, and never hold up anything."""

    def __init__(self, view: PictureView) -> None:
        super().__init__(view)
        self._view = view
        self.picture: Picture | None = None
        self._started: float | None = None
        self._over: Hot | None = None
        self._clock = QTimer(self)
        self._clock.setInterval(15)
        self._clock.timeout.connect(self.update)
        self.setAccessibleName(view.title)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fill_itself(self)
        self._ground = Ground()

    def show_picture(self, picture: Picture, moving: bool) -> None:
        self._ground.follow(self.picture, picture)
        self.picture = picture
        self._started = perf_counter() if moving else None
        if moving:
            self._clock.start()
        else:
            self._clock.stop()
        self.setAccessibleDescription(picture.spoken)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(480, 280)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        theme = self._view.look.theme
        progress = 1.0
        if self._started is not None:
            progress = min(1.0, (perf_counter() - self._started) / MOTION_S)
            if progress >= 1.0:
                self._started = None
                self._clock.stop()
        if self.picture is None:
            painter.fillRect(self.rect(), theme.qcolor("panel"))
        else:
            done = self._ground.paint(painter, self, self.picture, theme)
            paint(painter, self.picture, partial(palette.colour, theme), progress, done)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._view.refresh()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        place = event.position()
        if self._view.drag(event):
            return
        hot = self.picture.at(place.x(), place.y()) if self.picture else None
        if hot is not self._over:
            self._over = hot
            clickable = hot is not None and hot.target is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self._over = None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.button() != Qt.MouseButton.LeftButton or self.picture is None:
            return
        if self._view.press(event):
            return
        hot = self.picture.at(event.position().x(), event.position().y())
        if hot is not None and hot.target is not None:
            self._view.act(hot.target)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._view.release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if self._view.wheel(event):
            event.accept()
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture is not None:
            place = QPointF(event.pos())
            hot = self.picture.at(place.x(), place.y())
            if hot is not None and hot.hover:
                x, y, w, h = (int(v) for v in hot.box)
                QToolTip.showText(event.globalPos(), hot.hover, self, QRect(x, y, w + 1, h + 1))
            else:
                QToolTip.hideText()
            return True
        return super().event(event)


class PictureView(View):
    """A view whose body is one picture. A subclass says how the picture is made from a context."""

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(selection, look, parent)
        self.canvas = PictureCanvas(self)
        self.set_body(self.canvas)
        self._shown_step: int | None = None
        self._content: Hashable | None = None
        self._last_drawn = 0.0

    def picture(self, context: FrameContext, picture: Picture) -> str:
        """Draw ``context`` into the empty ``picture`` and return the note for the title line."""
        raise NotImplementedError

    def command(self, name: str, value: int) -> None:
        """A click on something that is the view's own affair (which variable, which wavefront)."""

    def press(self, event: QMouseEvent) -> bool:
        """A press before hot places are looked up; True if dealt with."""
        return False

    def drag(self, event: QMouseEvent) -> bool:
        return False

    def release(self, event: QMouseEvent) -> None:
        pass

    def wheel(self, event: QWheelEvent) -> bool:
        return False

    def unit(self) -> float:
        """The base type size in pixels."""
        return self.look.unit()

    def content_key(self, context: FrameContext) -> Hashable | None:
        """What the picture depends on besides size and theme; None where any step may change it.

        A picture whose key is the same as before is not drawn again.
        """
        return None

    def draw(self, context: FrameContext) -> None:
        key = self.content_key(context)
        if key is not None:
            size, look = self.canvas.size(), self.look
            key = (key, size.width(), size.height(), look.theme.name, look.scale, context.predicting)
            if key == self._content and self.canvas.picture is not None:
                self._shown_step = context.frame.step
                return
        self._content = key
        picture = Picture(float(self.canvas.width()), float(self.canvas.height()), self.unit(), measure)
        self.set_note(self.picture(context, picture))
        step = context.frame.step
        forward = self._shown_step is not None and step == self._shown_step + 1
        self._shown_step = step
        now = perf_counter()
        calm = now - self._last_drawn > CALM_S
        self._last_drawn = now
        wanted = self.look.motion and forward and calm
        moving = wanted and any(getattr(mark, "motion", False) for mark in picture.marks)
        self.canvas.show_picture(picture, moving)

    def reset(self, run: RunLike | None) -> None:
        super().reset(run)
        if not self.isVisible():
            self.clear()  # a picture that nobody sees would hold the run that it is of

    def clear(self) -> None:
        self._shown_step = self._content = None
        empty = Picture(float(self.canvas.width()), float(self.canvas.height()), self.unit(), measure)
        self.set_note("")
        self.canvas.show_picture(empty, moving=False)

    def texts(self) -> list[str]:
        spoken = self.canvas.picture.spoken if self.canvas.picture else ""
        return [*super().texts(), spoken]

    def act(self, target: Target) -> None:
        """Carry out a click: the selection's fields that the target names, or the view's own command."""
        if target.command:
            self.command(target.command, target.value)
            self.refresh()
            return
        names = ("block", "warp", "lane", "line", "pc", "step", "element")
        fields = {name: getattr(target, name) for name in names if getattr(target, name) is not None}
        if target.lane is not None and self.selection.now.lane == target.lane and self._same_warp(target):
            fields["lane"] = None
        if target.element is not None and self.selection.now.element == target.element:
            fields["element"] = None
        if fields:
            self.selection.update(**fields)

    def _same_warp(self, target: Target) -> bool:
        now = self.selection.now
        return target.warp in (None, now.warp) and target.block in (None, now.block)
