#!/usr/bin/python3
"""Rows in Qt 5 with a button in their middle that stays pressed; the diary as of row-controls-gtk3.py."""
import sys

from PyQt5.QtCore import QObject, Qt, pyqtSignal
from PyQt5.QtWidgets import QApplication, QMainWindow, QPushButton, QTreeWidget, QTreeWidgetItem

from scene import diary, listen


class Loop(QObject):
    """Carries a command from the reading thread into Qt's own."""

    heard = pyqtSignal(object, object)

    def __init__(self):
        super().__init__()
        self.heard.connect(lambda perform, line: perform(line))


class Days(QTreeWidget):
    def __init__(self):
        super().__init__()
        self.setAccessibleName("Days")
        self.setHeaderLabels(["Day", "Kept", "Month"])
        self.setRootIsDecorated(False)
        self.setDragDropMode(QTreeWidget.DragDrop)
        for name in ("Army Day", "Workers Day", "Garden Day"):
            row = QTreeWidgetItem(self, [name, "", "May"])
            kept = QPushButton("Kept")
            kept.setCheckable(True)
            kept.toggled.connect(lambda on, n=name: diary(toggled=n, on=on))
            self.setItemWidget(row, 1, kept)
        for column in range(3):
            self.setColumnWidth(column, 190)
        self.itemSelectionChanged.connect(lambda: [diary(chosen=row.text(0)) for row in self.selectedItems()])

    def dropEvent(self, event):
        onto = self.itemAt(event.pos())
        diary(dropped=self.currentItem().text(0), onto=onto and onto.text(0))
        event.setDropAction(Qt.CopyAction)
        event.accept()


class Main(QMainWindow):
    def __init__(self):
        super().__init__()
        self.setWindowTitle("Rows with controls")
        self.resize(620, 420)
        self.setCentralWidget(Days())
        self.show()


if __name__ == "__main__":
    app = QApplication(sys.argv)
    loop = Loop()
    window = Main()
    listen(lambda perform, line: loop.heard.emit(perform, line), {"forget": lambda _: window.centralWidget().clearSelection()}, app.quit)
    diary(ready=True)
    sys.exit(app.exec_())
