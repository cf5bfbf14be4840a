#!/usr/bin/python3
"""Everything in Qt5 that can be acted on by its accessible actions, with a diary of what happened: see act_scene.py."""
import sys

from PyQt5.QtCore import QObject, Qt, pyqtSignal
from PyQt5.QtWidgets import (
    QApplication, QCheckBox, QComboBox, QGroupBox, QHBoxLayout, QLabel, QLineEdit, QListWidget, QMainWindow, QMessageBox,
    QPlainTextEdit, QPushButton, QRadioButton, QScrollArea, QSlider, QSpinBox, QTabWidget, QTreeWidget, QTreeWidgetItem,
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


class Main(QMainWindow):
    def __init__(self):
        super().__init__()
        self.setWindowTitle(act_scene.TITLE)
        self.resize(640, 700)
        self.widgets = {}
        self.menus()
        inside = QWidget()
        column = QVBoxLayout(inside)
        for row in (self.buttons(), self.choices(), self.form()):
            column.addLayout(row)
        for widget in (self.pages(), self.list(), self.tree(), self.far()):
            column.addWidget(widget)
        self.setCentralWidget(inside)
        self.show()

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
        for name, widget in (*fields.items(), ("Age", age), ("Volume", volume), ("Colour", colour)):
            widget.setAccessibleName(name)
            row.addWidget(self.keep(name, widget))
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
        items.itemSelectionChanged.connect(lambda: diary(selected=[i.text() for i in items.selectedItems()]))
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
        tree.itemSelectionChanged.connect(lambda: diary(selected=[i.text(0) for i in tree.selectedItems()]))
        return tree

    def far(self):
        inside = QWidget()
        column = QVBoxLayout(inside)
        for n in range(1, 41):
            column.addWidget(self.button("Far %d" % n))
        pane = QScrollArea()
        pane.setWidget(inside)
        pane.setMinimumHeight(80)
        pane.verticalScrollBar().valueChanged.connect(lambda v: diary(scrolled=v))
        return pane

    def ask(self):
        box = QMessageBox(QMessageBox.Question, act_scene.DIALOG, "Go on?", QMessageBox.Yes | QMessageBox.No, self)
        answer = {QMessageBox.Yes: "Yes", QMessageBox.No: "No"}.get(box.exec_(), "closed")
        diary(dialog=act_scene.DIALOG, answer=answer)

    def commands(self):
        clipboard = QApplication.clipboard()
        return {
            "copy": lambda a: clipboard.setText(plain(a)),
            "copy-many": lambda a: clipboard.setText(act_scene.long_text(int(a))),
            "paste": lambda _: diary(pasted=act_scene.told(clipboard.text())),
            "enable": lambda a: self.widgets[a].setEnabled(True),
            "disable": lambda a: self.widgets[a].setEnabled(False),
            "remove": lambda a: self.widgets.pop(a).deleteLater(),
            "caret": self.caret,
            "sleep": lambda a: act_scene.sleep(a),
        }

    def caret(self, argument):
        name, start, end = argument.split()
        self.widgets[name].setSelection(int(start), int(end) - int(start))


if __name__ == "__main__":
    app = QApplication(sys.argv)
    loop = Loop()
    window = Main()
    listen(lambda perform, line: loop.heard.emit(perform, line), window.commands(), app.quit)
    diary(ready=True)
    sys.exit(app.exec_())
