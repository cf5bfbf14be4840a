#!/usr/bin/python3
"""Everything in Qt5 that can be acted on, with a diary of what happened: see act_scene.py."""
import sys

from PyQt5.QtCore import QDateTime, QMimeData, QObject, Qt, pyqtSignal
from PyQt5.QtGui import QDrag, QKeySequence
from PyQt5.QtWidgets import (
    QApplication, QCheckBox, QComboBox, QDateEdit, QDateTimeEdit, QGroupBox, QHBoxLayout, QLabel, QLineEdit, QListWidget, QMainWindow, QMenu,
    QMessageBox, QPlainTextEdit, QPushButton, QRadioButton, QScrollArea, QShortcut, QSlider, QSpinBox, QTabWidget, QTimeEdit, QTreeWidget, QTreeWidgetItem,
    QVBoxLayout, QWidget, QActionGroup,
)

import act_scene
from scene import diary, listen, plain


class Loop(QObject):
    """Carries a command from the reading thread into Qt's own."""

    heard = pyqtSignal(object, object)

    def __init__(self):
        super().__init__()
        self.heard.connect(lambda perform, line: perform(line))


BUTTONS = {Qt.LeftButton: "left", Qt.MiddleButton: "middle", Qt.RightButton: "right"}
HELD = (("shift", Qt.ShiftModifier), ("ctrl", Qt.ControlModifier), ("alt", Qt.AltModifier))


class Pad(QLabel):
    """What only a mouse can do."""

    def __init__(self):
        super().__init__()
        self.setAccessibleName("Pad")
        self.setFixedSize(200, 50)
        self.motions, self.pointer = 0, act_scene.Pointer()
        self.setMouseTracking(True)

    def enterEvent(self, event):
        self.pointer.came(event.pos())

    def pressed(self, event, count):
        if event.button() == Qt.RightButton:
            return
        act_scene.pad_pressed(BUTTONS[event.button()], count, [name for name, bit in HELD if event.modifiers() & bit])
        self.start, self.motions = event.pos(), 0

    def mousePressEvent(self, event):
        self.pressed(event, 1)

    def mouseDoubleClickEvent(self, event):
        self.pressed(event, 2)

    def mouseMoveEvent(self, event):
        self.pointer.last = event.pos()
        self.motions += 1 if event.buttons() else 0

    def mouseReleaseEvent(self, event):
        if self.motions and event.button() == Qt.LeftButton:
            by = event.pos() - self.start
            diary(dragged="Pad", by=[by.x(), by.y()], motions=self.motions)

    def contextMenuEvent(self, event):
        diary(menu="Pad")
        menu = QMenu(self)
        menu.addAction("Clear").triggered.connect(lambda: diary(clicked="Clear"))
        menu.popup(event.globalPos())


class Parcel(QLabel):
    def mousePressEvent(self, event):
        self.start = event.pos()

    def mouseMoveEvent(self, event):
        if (event.pos() - self.start).manhattanLength() < QApplication.startDragDistance():
            return
        drag, data = QDrag(self), QMimeData()
        data.setText(self.text())
        drag.setMimeData(data)
        drag.exec_(Qt.CopyAction)


class Shelf(QLabel):
    def __init__(self, text):
        super().__init__(text)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event):
        event.acceptProposedAction()

    def dropEvent(self, event):
        diary(dropped=event.mimeData().text(), onto=self.text())
        event.acceptProposedAction()


class Main(QMainWindow):
    def __init__(self):
        super().__init__()
        self.setWindowTitle(act_scene.TITLE)
        self.resize(640, 700)
        QShortcut(QKeySequence("Ctrl+S"), self).activated.connect(lambda: diary(shortcut="ctrl+s"))
        self.fill_window()
        self.show()

    def fill_window(self):
        self.widgets = {}
        self.menuBar().clear()
        self.menus()
        inside = QWidget()
        column = QVBoxLayout(inside)
        for row in (self.buttons(), self.choices(), self.form(), self.dates(), self.hands()):
            column.addLayout(row)
        for widget in (self.pages(), self.list(), self.tree(), self.far()):
            column.addWidget(widget)
        self.setCentralWidget(inside)

    def closeEvent(self, event):
        diary(closed=True)
        event.accept()

    def keep(self, name, widget):
        self.widgets[name] = widget
        return widget

    def button(self, name, then=None):
        button = self.keep(name, QPushButton(name))
        button.clicked.connect(lambda: (diary(clicked=name), then and then()))
        return button

    def menus(self):
        menu = self.menuBar().addMenu("File")
        menu.addAction("New").triggered.connect(lambda: diary(clicked="New"))
        grid = menu.addAction("Grid")
        grid.setCheckable(True)
        grid.toggled.connect(lambda on: diary(toggled="Grid", on=on))
        group = QActionGroup(self)
        for name in ("Small", "Large"):
            size = group.addAction(name)
            size.setCheckable(True)
            size.setChecked(name == "Small")
            size.toggled.connect(lambda on, n=name: diary(toggled=n, on=on))
            menu.addAction(size)
        menu.addAction("Question\u2026").triggered.connect(self.ask)

    def buttons(self):
        row = QHBoxLayout()
        delete = self.button("Delete")
        delete.setEnabled(False)
        bold = self.keep("Bold", QPushButton("Bold"))
        bold.setCheckable(True)
        bold.toggled.connect(lambda on: diary(toggled="Bold", on=on))
        for widget in (self.button("Save"), delete, self.button("Ask\u2026", self.ask), bold, QLabel("Plain words")):
            row.addWidget(widget)
        return row

    def choices(self):
        row = QHBoxLayout()
        made = (("Wrap", QCheckBox), ("Left", QRadioButton), ("Right", QRadioButton), ("Locked", QCheckBox))
        for name, kind in made:
            widget = self.keep(name, kind(name))
            widget.setChecked(name == "Left")
            widget.setEnabled(name != "Locked")
            widget.toggled.connect(lambda on, n=name: diary(toggled=n, on=on))
            row.addWidget(widget)
        box = QGroupBox("More")
        box.setCheckable(True)
        box.toggled.connect(lambda on: diary(toggled="More", on=on))
        row.addWidget(box)
        return row

    def form(self):
        row = QHBoxLayout()
        fields = {"Name": QLineEdit("Ada"), "Fixed": QLineEdit("fixed"), "Shown": QLineEdit("shown"), "Secret": QLineEdit("old")}
        fields["Fixed"].setEnabled(False)
        fields["Shown"].setReadOnly(True)
        fields["Secret"].setEchoMode(QLineEdit.Password)
        for name, field in fields.items():
            field.textChanged.connect(lambda text, n=name: act_scene.changed(n, text))
            field.returnPressed.connect(lambda n=name: diary(entered=n))
        age, volume, colour = QSpinBox(), QSlider(Qt.Horizontal), QComboBox()
        age.setRange(0, 130)
        age.setSingleStep(5)
        age.setValue(35)
        volume.setRange(0, 100)
        volume.setValue(25)
        colour.addItems(["Red", "Green", "Blue"])
        age.valueChanged.connect(lambda v: diary(value="Age", **{"is": v}))
        volume.valueChanged.connect(lambda v: diary(value="Volume", **{"is": v}))
        colour.currentTextChanged.connect(lambda t: diary(selected=t))
        for name, widget in (*fields.items(), ("Age", age), ("Volume", volume)):
            widget.setAccessibleName(name)
            row.addWidget(self.keep(name, widget))
        label = QLabel("Colour")  # A combo box calls itself by its value.
        label.setBuddy(colour)
        row.addWidget(label)
        row.addWidget(self.keep("Colour", colour))
        return row

    def dates(self):
        row = QHBoxLayout()
        kinds = {"Day": (QDateEdit, "yyyy-MM-dd"), "Moment": (QDateTimeEdit, "dd.MM.yyyy HH:mm"), "Hour": (QTimeEdit, "HH:mm:ss")}
        for name, (kind, form) in kinds.items():
            widget = self.keep(name, kind())
            widget.setAccessibleName(name)
            widget.setDisplayFormat(form)
            widget.setDateTime(QDateTime(2024, 1, 31, 23, 59, 58))
            widget.dateTimeChanged.connect(lambda at, n=name, f=form: diary(text=n, value=at.toString(f)))
            row.addWidget(widget)
        return row

    def hands(self):
        row = QHBoxLayout()
        for widget in (self.keep("Pad", Pad()), Parcel("Parcel"), Shelf("Shelf")):
            row.addWidget(widget)
        return row

    def pages(self):
        tabs = QTabWidget()
        for name in ("General", "Details"):
            notes = self.keep("Notes " + name, QPlainTextEdit("one two"))
            notes.setAccessibleName("Notes " + name)
            notes.textChanged.connect(lambda n=notes, m=name: diary(text="Notes " + m, value=n.toPlainText()))
            tabs.addTab(notes, name)
        tabs.setMaximumHeight(90)
        tabs.currentChanged.connect(lambda n: diary(selected=tabs.tabText(n)))
        return tabs

    def list(self):
        items = QListWidget()
        items.setAccessibleName("Items")
        items.addItems(["Item %d" % n for n in range(1, 5)])
        items.setMaximumHeight(80)
        items.itemSelectionChanged.connect(lambda: [diary(selected=i.text()) for i in items.selectedItems()])
        return items

    def tree(self):
        tree = QTreeWidget()
        tree.setAccessibleName("Kinds")
        tree.setHeaderLabels(["Kind"])
        tree.setMaximumHeight(100)
        for name in ("Fruit", "Trees"):
            top = QTreeWidgetItem(tree, [name])
            QTreeWidgetItem(top, [name + " inside"])
        tree.itemExpanded.connect(lambda i: diary(expanded=i.text(0), on=True))
        tree.itemCollapsed.connect(lambda i: diary(expanded=i.text(0), on=False))
        tree.itemSelectionChanged.connect(lambda: [diary(selected=i.text(0)) for i in tree.selectedItems()])
        return tree

    def far(self):
        inside = QWidget()
        column = QVBoxLayout(inside)
        for n in range(1, 41):
            column.addWidget(self.button("Far %d" % n))
        pane = QScrollArea()
        pane.setAccessibleName("Far")
        pane.setWidget(inside)
        pane.setMinimumHeight(80)
        pane.verticalScrollBar().valueChanged.connect(lambda v: diary(scrolled=v))
        return pane

    def ask(self):
        box = QMessageBox(QMessageBox.Question, act_scene.DIALOG, "Go on?", QMessageBox.Yes | QMessageBox.No, self)
        answer = {QMessageBox.Yes: "Yes", QMessageBox.No: "No"}.get(box.exec_(), "closed")
        diary(dialog=act_scene.DIALOG, answer=answer)

    def copy_password(self, text):
        """As KeePassXC does it: the text, and a target that marks it as a password."""
        data = QMimeData()
        data.setText(plain(text))
        data.setData("x-kde-passwordManagerHint", b"secret")
        QApplication.clipboard().setMimeData(data)

    def commands(self):
        clipboard = QApplication.clipboard()
        return {
            "copy": lambda a: clipboard.setText(plain(a)),
            "copy-password": self.copy_password,
            "copy-many": lambda a: clipboard.setText(act_scene.long_text(int(a))),
            "paste": lambda _: diary(pasted=act_scene.summary(clipboard.text())),
            "enable": lambda a: self.widgets[a].setEnabled(True),
            "disable": lambda a: self.widgets[a].setEnabled(False),
            "remove": lambda a: self.widgets.pop(a).deleteLater(),
            "focus": lambda a: self.widgets[a].setFocus(),
            "caret": self.caret,
            "sleep": act_scene.sleep,
            "reset": lambda _: self.fill_window(),
        }

    def caret(self, argument):
        name, start, end = argument.split()
        self.widgets[name].setSelection(int(start), int(end) - int(start))


if __name__ == "__main__":
    # Else motions of one frame come as one.
    QApplication.setAttribute(Qt.AA_CompressHighFrequencyEvents, False)
    app = QApplication(sys.argv)
    loop = Loop()
    window = Main()
    listen(lambda perform, line: loop.heard.emit(perform, line), window.commands(), app.quit)
    diary(ready=True)
    sys.exit(app.exec_())
