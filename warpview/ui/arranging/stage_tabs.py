"""The stage: one large view at a time, chosen by what the step does, above a row of headers of the other views."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabWidget, QToolButton

from warpview.ui.drawing.theme import Look
from warpview.ui.views.context import FrameContext
from warpview.ui.views.view import View


class StageTabs(QTabWidget):
    """Tabs below the view. ``chosen`` is called when the user picks one, ``follow`` when the button is toggled."""

    def __init__(self, chosen: Callable[[], object], follow: Callable[[bool], object], look: Look) -> None:
        super().__init__()
        self._look = look
        self.setTabPosition(QTabWidget.TabPosition.South)
        self.follow_button = QToolButton()
        self.follow_button.setText("◎ Follow")
        self.follow_button.setToolTip("Show the view that each step concerns; a click on a header keeps that view")
        self.follow_button.setAccessibleName("Follow step")
        self.follow_button.setCheckable(True)
        self.follow_button.setAutoRaise(True)
        self.follow_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.follow_button.clicked.connect(follow)
        self.setCornerWidget(self.follow_button, Qt.Corner.BottomRightCorner)
        self.tabBarClicked.connect(lambda _: chosen())
        look.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        for widget in (self.tabBar(), self.follow_button):
            widget.setFont(self._look.font("small"))

    def show_follows(self, on: bool) -> None:
        """Say whether the stage follows the step."""
        self.follow_button.setChecked(on)

    def show_view(self, view: View) -> None:
        """Bring a view to the stage, if it has a place here."""
        if self.indexOf(view) >= 0:
            self.setCurrentWidget(view)

    def show_headlines(self, context: FrameContext) -> None:
        """Write the number of each view beside its name."""
        for n in range(self.count()):
            view = self.widget(n)
            if isinstance(view, View):
                number = view.headline(context)
                title = view.tab or view.title.removesuffix(" memory")
                text = f"{title}  {number}" if number else title
                if text != self.tabText(n):
                    self.setTabText(n, text)
