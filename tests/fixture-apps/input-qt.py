#!/usr/bin/python3
"""A pad for the mouse, an entry and a text in Qt. Writes down every button, notch, key and change of text."""
import sys

from PyQt5.QtCore import QObject, Qt, pyqtSignal
from PyQt5.QtWidgets import QApplication, QLineEdit, QTextEdit, QVBoxLayout, QWidget

from input_diary import SIZE, TITLE, diary, listen

BUTTONS = {Qt.LeftButton: 1, Qt.MiddleButton: 2, Qt.RightButton: 3}
MODIFIERS = (
    ("shift", Qt.ShiftModifier),
    ("ctrl", Qt.ControlModifier),
    ("alt", Qt.AltModifier),
    ("meta", Qt.MetaModifier),
)


def held(event):
    return [name for name, bit in MODIFIERS if event.modifiers() & bit]


class Pad(QWidget):
    def __init__(self):
        super().__init__()
        self.setFixedHeight(160)
        self.setFocusPolicy(Qt.StrongFocus)

    def mousePressEvent(self, event):
        self.pressed(event, 1)

    def mouseDoubleClickEvent(self, event):
        self.pressed(event, 2)

    def pressed(self, event, clicks):
        at = [event.globalX(), event.globalY()]
        diary(press=BUTTONS[event.button()], clicks=clicks, at=at, held=held(event))

    def mouseReleaseEvent(self, event):
        diary(release=BUTTONS[event.button()], at=[event.globalX(), event.globalY()])

    def mouseMoveEvent(self, event):
        diary(motion=[event.globalX(), event.globalY()])

    def wheelEvent(self, event):
        by = event.angleDelta()
        # Alt turns the wheel sideways in Qt; here it is not held.
        diary(scroll="up" if by.y() > 0 else "down" if by.y() < 0 else "left" if by.x() > 0 else "right")

    def keyPressEvent(self, event):
        diary(key=event.text(), held=held(event))


class Loop(QObject):
    heard = pyqtSignal(object, object)

    def __init__(self):
        super().__init__()
        self.heard.connect(lambda work, line: work(line))


app = QApplication(sys.argv[:1])
window = QWidget()
window.setWindowTitle(TITLE)
window.resize(*SIZE)
pad, entry, text = Pad(), QLineEdit(), QTextEdit()
entry.textChanged.connect(lambda value: diary(entry=value))
text.textChanged.connect(lambda: diary(text=text.toPlainText()))
column = QVBoxLayout(window)
for part in (pad, entry, text):
    column.addWidget(part)
window.show()


def place(widget):
    corner = widget.mapToGlobal(widget.rect().topLeft())
    return [corner.x(), corner.y(), widget.width(), widget.height()]


def clear(_):
    entry.clear()
    text.clear()


commands = {
    "focus": lambda name: {"pad": pad, "entry": entry, "text": text}[name].setFocus(),
    "clear": clear,
    "where": lambda _: diary(where={"pad": place(pad), "entry": place(entry), "text": place(text)}),
}


loop = Loop()
listen(loop.heard.emit, commands, app.quit)
loop.heard.emit(lambda _: diary(ready=True), None)
app.exec_()
