#!/usr/bin/python3
"""Effects in Qt 5 that the tree hardly shows; what each button does is in effects_scene.py."""
import sys
import time

from PyQt5.QtCore import QObject, Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QColor, QPainter
from PyQt5.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from effects_scene import BUSY, BUTTONS, GOODS, LATE_MS
from scene import diary, listen


class Loop(QObject):
    """Carries a command from the reading thread into Qt's own."""

    heard = pyqtSignal(object, object)

    def __init__(self):
        super().__init__()
        self.heard.connect(lambda perform, line: perform(line))


class Squares(QWidget):
    def __init__(self, name, height, draw):
        super().__init__()
        self.setAccessibleName(name)
        self.setFixedHeight(height)
        self.draw = draw

    def paintEvent(self, _):
        painter = QPainter(self)
        self.draw(painter)
        painter.end()


class Main(QMainWindow):
    def __init__(self):
        super().__init__()
        self.setWindowTitle("Effects")
        self.resize(640, 520)
        self.painted = self.turn = 0
        middle = QWidget()
        column = QVBoxLayout(middle)
        buttons = QHBoxLayout()
        for name in BUTTONS:
            button = QPushButton(name)
            button.clicked.connect(lambda _, n=name: self.pressed(n))
            buttons.addWidget(button)
        column.addLayout(buttons)
        self.canvas = Squares("Canvas", 80, self.draw)
        self.ring = Squares("", 20, self.draw_ring)
        column.addWidget(self.canvas)
        column.addWidget(self.ring)
        column.addWidget(self.table())
        self.setCentralWidget(middle)
        self.show()

    def table(self):
        table = QTableWidget(len(GOODS), 2)
        table.setAccessibleName("Goods")
        for row, name in enumerate(GOODS):
            tick = QTableWidgetItem()
            tick.setFlags(Qt.ItemIsUserCheckable | Qt.ItemIsEnabled | Qt.ItemIsSelectable)
            tick.setCheckState(Qt.Unchecked)
            table.setItem(row, 0, tick)
            table.setItem(row, 1, QTableWidgetItem(name))
        table.itemChanged.connect(lambda item: diary(ticked=GOODS[item.row()], on=item.checkState() == Qt.Checked))
        # The row is ticked by a click on its name: only the other cell changes.
        table.cellClicked.connect(lambda row, at: at == 1 and self.toggle(table.item(row, 0)))
        return table

    def toggle(self, item):
        item.setCheckState(Qt.Unchecked if item.checkState() == Qt.Checked else Qt.Checked)

    def pressed(self, name):
        diary(pressed=name)
        if name == "Paint":
            self.paint()
        elif name == "Copy":
            QApplication.clipboard().setText("copied")
        elif name == "Work":
            self.work(time.monotonic() + LATE_MS / 1000)

    def work(self, end):
        if time.monotonic() < end:
            sum(i * i for i in range(BUSY))
            QTimer.singleShot(0, lambda: self.work(end))
        else:
            self.paint()

    def paint(self):
        self.painted += 1
        self.canvas.update()

    def draw(self, painter):
        for at in range(self.painted):
            painter.fillRect(40 * (at + 1), 20, 32, 32, QColor("#1a8033"))

    def draw_ring(self, painter):
        painter.fillRect(0, 0, 20, 20, QColor(200, 30 * (self.turn % 8), 0))

    def spin(self, _):
        def step():
            self.turn += 1
            self.ring.update(0, 0, 20, 20)

        self.timer = QTimer(self)
        self.timer.timeout.connect(step)
        self.timer.start(50)


if __name__ == "__main__":
    app = QApplication(sys.argv)
    loop = Loop()
    window = Main()
    listen(lambda perform, line: loop.heard.emit(perform, line), {"spin": window.spin}, app.quit)
    diary(ready=True)
    sys.exit(app.exec_())
