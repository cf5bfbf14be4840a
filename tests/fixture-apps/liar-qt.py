#!/usr/bin/python3
"""An app in Qt5 that does not keep still: see liar_scene.py."""
import sys

from PyQt5.QtCore import QObject, QTimer, pyqtSignal
from PyQt5.QtWidgets import (
    QApplication, QCheckBox, QComboBox, QDialog, QHBoxLayout, QLineEdit, QListWidget, QMainWindow, QMenu, QPushButton,
    QVBoxLayout, QWidget,
)

import liar_scene
from scene import diary, listen


class Loop(QObject):
    """Carries a command from the reading thread into Qt's own."""

    heard = pyqtSignal(object, object)

    def __init__(self):
        super().__init__()
        self.heard.connect(lambda perform, line: perform(line))


class Second(QMainWindow):
    def __init__(self, title, gone):
        super().__init__()
        self.setWindowTitle(title)
        self.gone = gone
        self.resize(300, 120)

    def closeEvent(self, event):
        diary(closed=self.windowTitle())
        self.gone()
        event.accept()


class Main(QMainWindow):
    def __init__(self):
        super().__init__()
        self.setWindowTitle(liar_scene.TITLE)
        self.resize(620, 640)
        self.widgets, self.lives, self.second = {}, 0, None
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.step)
        menu = self.menuBar().addMenu("File")
        for name in ("One", "Two"):
            menu.addAction(name).triggered.connect(lambda _, n=name: diary(chosen=n))
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.addLayout(self.buttons())
        column.addWidget(self.track())
        column.addLayout(self.fields())
        column.addLayout(self.choices())
        column.addWidget(self.list())
        self.setCentralWidget(inside)
        self.show()
        self.cover(False)

    def closeEvent(self, event):
        diary(closed=liar_scene.TITLE)
        event.accept()

    def button(self, name, then=None, parent=None, **facts):
        button = self.widgets[name] = QPushButton(name, parent)
        button.clicked.connect(lambda: (diary(clicked=button.text(), **facts), then and then()))
        return button

    def buttons(self):
        row = QHBoxLayout()
        place = QWidget()
        place.setFixedSize(80, 30)
        for name in ("Under", "Lid"):
            self.button(name, parent=place).resize(80, 30)
        holder = QWidget()
        self.twins = QHBoxLayout(holder)
        self.twins.setContentsMargins(0, 0, 0, 0)
        self.replace()
        more = QPushButton("More")
        popup = QMenu(self)
        for name in ("Three", "Four"):
            popup.addAction(name).triggered.connect(lambda _, n=name: diary(chosen=n))
        more.setMenu(popup)
        for widget in (
            place,
            self.button("Pay"),
            holder,
            self.button("Hang", liar_scene.hang),
            self.button("Idle"),
            self.button("Open second", self.open_second),
            more,
        ):
            row.addWidget(widget)
        return row

    def replace(self, _=""):
        while self.twins.count():
            self.twins.takeAt(0).widget().deleteLater()
        self.lives += 1
        self.twins.addWidget(self.button("Twin", life=self.lives))

    def track(self):
        place = QWidget()
        place.setFixedHeight(36)
        self.button("Runner", parent=place)
        self.at = 0
        return place

    def step(self, _=""):
        self.at = (self.at + 7) % 300
        self.widgets["Runner"].move(self.at, 0)

    def fields(self):
        row = QHBoxLayout()
        for name in liar_scene.FIELDS:
            field = self.widgets[name] = QLineEdit()
            field.setAccessibleName(name)
            if name == "Short":
                field.setMaxLength(liar_scene.SHORT)
            field.textChanged.connect(lambda text, n=name: self.changed(n, text))
            row.addWidget(field)
        self.widgets["Shy"].focusInEvent = lambda _: QTimer.singleShot(0, self.widgets["Plain"].setFocus)
        return row

    def changed(self, name, text):
        field = self.widgets[name]
        held = liar_scene.kept(name, text)
        if held != text:
            field.blockSignals(True)
            field.setText(held)
            field.blockSignals(False)
        diary(text=name, value=held)
        if name == "Jump" and len(text) == liar_scene.JUMPS:
            self.widgets["Plain"].setFocus()
        if name == "Hop" and len(text) == liar_scene.JUMPS:
            self.widgets["Deliver"].setFocus()
        if name == "Pop" and len(text) >= 5 and not self.second:
            self.steal()

    def steal(self):
        if self.second:
            return
        self.second = QDialog(self)
        self.second.setWindowTitle(liar_scene.DIALOG)
        self.second.setModal(True)
        field = QLineEdit(self.second)
        field.setAccessibleName("Thief")
        field.textChanged.connect(lambda text: diary(text="Thief", value=text))
        self.second.finished.connect(lambda _: (diary(closed=liar_scene.DIALOG), self.second_gone()))
        self.second.show()

    def choices(self):
        row = QHBoxLayout()
        colour = QComboBox()
        colour.setAccessibleName("Colour")
        colour.addItems(["Red", "Green", "Blue"])
        colour.currentTextChanged.connect(lambda t: diary(selected=t))
        row.addWidget(colour)
        self.swaps = False
        for name in liar_scene.CHECKS:
            tick = self.widgets[name] = QCheckBox(name)
            tick.toggled.connect(lambda on, w=tick: diary(toggled=w.text(), on=on))
            tick.mouseReleaseEvent = lambda event, do=tick.mouseReleaseEvent: (self.exchange(), do(event))[1]
            row.addWidget(tick)
        row.addWidget(self.button("Next", lambda: self.widgets["Next"].setText("Send")))
        row.addWidget(self.button("Deliver"))
        return row

    def list(self):
        self.items = QListWidget()
        self.items.setAccessibleName("Items")
        self.order = list(range(1, liar_scene.ITEMS + 1))
        self.items.addItems([liar_scene.item(n) for n in self.order])
        self.items.currentTextChanged.connect(lambda t: t and diary(selected=t))
        press = self.items.mousePressEvent
        self.slips = False

        def pressed(event):
            if self.slips:
                self.slips = False
                self.sort("")
            press(event)

        self.items.mousePressEvent = pressed
        return self.items

    def slip(self, _):
        self.slips = True

    def swap(self, _):
        self.swaps = True

    def exchange(self):
        if not self.swaps:
            return
        self.swaps = False
        one, other = (self.widgets[name] for name in liar_scene.CHECKS)
        names = one.text(), other.text()
        other.setText(names[0])
        one.setText(names[1])

    def sort(self, _):
        """The texts change places, as in a view whose model was sorted; nothing is selected then."""
        self.order.reverse()
        self.items.blockSignals(True)
        self.items.setCurrentItem(None)
        for at, n in enumerate(self.order):
            self.items.item(at).setText(liar_scene.item(n))
        self.items.blockSignals(False)

    def scroll(self, n):
        self.items.scrollToItem(self.items.item(int(n) - 1), QListWidget.PositionAtTop)

    def cover(self, on):
        self.widgets["Lid"].setVisible(on)
        self.widgets["Lid"].raise_()

    def open_second(self, _=""):
        self.second = Second(liar_scene.SECOND, self.second_gone)
        self.second.setCentralWidget(self.button("Close me", self.close_second))
        self.second.show()

    def second_gone(self):
        self.second = None

    def close_second(self, _=""):
        self.second.close()

    def commands(self):
        commands = {
            "cover": lambda _: self.cover(True),
            "uncover": lambda _: self.cover(False),
            "disable": lambda a: self.widgets[a].setEnabled(False),
            "enable": lambda a: self.widgets[a].setEnabled(True),
            "rename": lambda a: self.widgets[a.split()[0]].setText(a.split()[1]),
            "replace": self.replace,
            "run": lambda _: self.timer.start(liar_scene.STEP_MS),
            "halt": lambda _: self.timer.stop(),
            "step": self.step,
            "scroll": self.scroll,
            "sort": self.sort,
            "slip": self.slip,
            "swap": self.swap,
            "second": self.open_second,
            "close-second": self.close_second,
            "tell": lambda _: diary(held={name: self.widgets[name].text() for name in liar_scene.FIELDS}),
        }
        commands["wild"] = lambda a: liar_scene.wild(a, QTimer.singleShot, commands)
        return commands


if __name__ == "__main__":
    app = QApplication(sys.argv)
    app.setQuitOnLastWindowClosed(False)
    loop = Loop()
    window = Main()
    listen(lambda perform, line: loop.heard.emit(perform, line), window.commands(), app.quit)
    diary(ready=True)
    sys.exit(app.exec_())
