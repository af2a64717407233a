"""Offer the kernels of the library, grouped by family."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QStyleOptionComboBox

from warpview.ui.drawing.controls import ChoiceBox
from warpview.ui.drawing.theme import Look
from warpview.ui.session.session import Session

FAMILY = Qt.ItemDataRole.UserRole + 1  # the title of a kernel's family
AROUND = 2.4  # heights of the type: the arrow and the margins beside the words


class KernelBox(ChoiceBox):
    """Show the library as a menu: families as headings, their variants below, and then the files of the user's."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Kernel")
        self.setToolTip("The kernel (K searches)")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys mean the same as everywhere

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:  # noqa: N802
        """Show the family before the kernel, where there is room for both."""
        super().initStyleOption(option)
        family = self.currentData(FAMILY)
        words = f"{family}: {option.currentText}"
        if (
            family
            and option.fontMetrics.horizontalAdvance(words) + AROUND * option.fontMetrics.height() <= self.width()
        ):
            option.currentText = words

    def fill(self, session: Session, look: Look) -> None:
        """List the kernels; one that the device cannot run is grey, in italics, and says why; it can be chosen."""
        model = QStandardItemModel(self)
        for family in session.catalogue.families:
            heading = QStandardItem(family.title)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            font = self.font()
            font.setBold(True)
            heading.setFont(font)
            model.appendRow(heading)
            for variant in family.variants:
                item = QStandardItem(variant.title)
                item.setData(variant.key, Qt.ItemDataRole.UserRole)
                item.setData(family.title, FAMILY)
                reason = session.incompatibility(variant)
                item.setToolTip("\n".join(filter(None, (reason, variant.teaches))))
                if reason:
                    grey = self.font()
                    grey.setItalic(True)
                    item.setFont(grey)
                    item.setForeground(look.theme.qcolor("dim"))
                model.appendRow(item)
        for variant in session.catalogue.variants():
            if not variant.family:
                item = QStandardItem(variant.title)
                item.setData(variant.key, Qt.ItemDataRole.UserRole)
                model.appendRow(item)
        self.setModel(model)
        self.setCurrentIndex(self.findData(session.setup.variant))
