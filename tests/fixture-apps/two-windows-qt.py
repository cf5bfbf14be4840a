#!/usr/bin/python3
"""The same as two-windows.py in Qt: a parcel, a shelf, and with `--covered` a window that comes over the shelf."""
import sys

from PyQt5.QtCore import QMimeData, Qt, QTimer
from PyQt5.QtGui import QDrag
from PyQt5.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from scene import diary


class Shelf(QLabel):
    def __init__(self, text):
        super().__init__(text)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event):
        event.acceptProposedAction()

    def dropEvent(self, event):
        diary(dropped=event.mimeData().text(), onto=self.text())
        event.acceptProposedAction()


class Parcel(QLabel):
    def mousePressEvent(self, event):
        self.start = event.pos()

    def mouseMoveEvent(self, event):
        if (event.pos() - self.start).manhattanLength() < QApplication.startDragDistance():
            return
        drag, data = QDrag(self), QMimeData()
        data.setText(self.text())
        drag.setMimeData(data)
        drag.setPixmap(self.grab())
        if "--covered" in sys.argv:
            QTimer.singleShot(0, lambda: shown.append(show(Shelf("Cover"), "Plain cover", 600)))
        if drag.exec_(Qt.CopyAction) == Qt.IgnoreAction:
            diary(failed="ignored")


def show(label, title, x):
    window = QWidget()
    window.setWindowTitle(title)
    QVBoxLayout(window).addWidget(label)
    window.setGeometry(x, 100, 300, 200)
    window.show()
    return window


app = QApplication(sys.argv[:1])
shown = [show(Parcel("Parcel"), "Plain sender", 50), show(Shelf("Shelf"), "Plain receiver", 600)]
QTimer.singleShot(0, lambda: diary(ready=True))
app.exec_()
