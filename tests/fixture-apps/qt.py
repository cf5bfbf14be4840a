#!/usr/bin/python3
"""The standard scene in Qt 5, and in Qt 6 with `--qt6`. Commands on standard input, diary on standard output: see scene.ts."""
import sys

if "--qt6" in sys.argv:
    from PyQt6 import QtCore, QtWidgets
else:
    from PyQt5 import QtCore, QtWidgets

import scene
from scene import diary, plain

QObject, Qt, pyqtSignal = QtCore.QObject, QtCore.Qt, QtCore.pyqtSignal
QAbstractItemView, QApplication, QCheckBox = QtWidgets.QAbstractItemView, QtWidgets.QApplication, QtWidgets.QCheckBox
QComboBox, QDialog, QDialogButtonBox = QtWidgets.QComboBox, QtWidgets.QDialog, QtWidgets.QDialogButtonBox
QFormLayout, QHBoxLayout, QVBoxLayout = QtWidgets.QFormLayout, QtWidgets.QHBoxLayout, QtWidgets.QVBoxLayout
QLabel, QLineEdit, QPlainTextEdit = QtWidgets.QLabel, QtWidgets.QLineEdit, QtWidgets.QPlainTextEdit
QListWidget, QListWidgetItem = QtWidgets.QListWidget, QtWidgets.QListWidgetItem
QPushButton, QRadioButton, QSlider, QSpinBox = QtWidgets.QPushButton, QtWidgets.QRadioButton, QtWidgets.QSlider, QtWidgets.QSpinBox
QTableWidget, QTableWidgetItem, QWidget = QtWidgets.QTableWidget, QtWidgets.QTableWidgetItem, QtWidgets.QWidget


class Loop(QObject):
    """Carries a command from the reading thread into Qt's own."""

    heard = pyqtSignal(object, object)

    def __init__(self):
        super().__init__()
        self.heard.connect(lambda perform, line: perform(line))


class Main(QWidget):
    def __init__(self):
        super().__init__()
        self.setWindowTitle(scene.MAIN)
        self.resize(520, 680)
        self.widgets = {}
        self.dialog = None
        column = QVBoxLayout(self)
        for row in (self.buttons(), self.choices(), self.form()):
            column.addLayout(row)
        self.said = QLabel(scene.LABEL)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setMaximumWidth(500)
        column.addWidget(self.said)
        for widget in (self.notes(), self.items(), self.orders()):
            column.addWidget(widget)
        self.box = QWidget()
        QHBoxLayout(self.box)
        column.addWidget(self.box)
        hidden = QLabel(scene.HIDDEN)
        column.addWidget(hidden)
        hidden.hide()
        self.show()

    def button(self, name, clicked=None):
        button = QPushButton(name)
        button.clicked.connect(lambda: (diary(clicked=name), clicked and clicked()))
        self.widgets[name] = button
        return button

    def buttons(self):
        row = QHBoxLayout()
        delete = self.button("Delete")
        delete.setEnabled(False)
        for button in (self.button("Save"), delete, self.button("Ask\u2026", lambda: self.open_dialog(""))):
            row.addWidget(button)
        return row

    def choices(self):
        row = QHBoxLayout()
        for name, widget in (("Wrap", QCheckBox("Wrap")), ("Left", QRadioButton("Left")), ("Right", QRadioButton("Right"))):
            widget.setChecked(name != "Right")
            widget.toggled.connect(lambda on, n=name: diary(toggled=n, on=on))
            self.widgets[name] = widget
            row.addWidget(widget)
        return row

    def form(self):
        form = QFormLayout()
        name, password, age, volume, colour = QLineEdit("Ada"), QLineEdit(scene.CANARY), QSpinBox(), QSlider(Qt.Orientation.Horizontal), QComboBox()
        password.setEchoMode(QLineEdit.EchoMode.Password)
        age.setRange(0, 130)
        age.setValue(36)
        volume.setRange(0, 100)
        volume.setValue(25)
        colour.addItems(["Red", "Green", "Blue"])
        for text, widget in (("Name", name), ("Password", password), ("Age", age), ("Volume", volume), ("Colour", colour)):
            form.addRow(text, widget)
            widget.setAccessibleName(text)
            self.widgets[text] = widget
        name.textChanged.connect(lambda t: diary(text="Name", value=t))
        password.textChanged.connect(lambda t: diary(text="Password", length=len(t)))
        age.valueChanged.connect(lambda v: diary(value="Age", **{"is": v}))
        volume.valueChanged.connect(lambda v: diary(value="Volume", **{"is": v}))
        colour.currentTextChanged.connect(lambda t: diary(selected=t))
        return form

    def notes(self):
        notes = QPlainTextEdit(scene.NOTES)
        notes.setAccessibleName("Notes")
        notes.setMaximumHeight(70)
        notes.textChanged.connect(lambda: diary(text="Notes", value=notes.toPlainText()))
        self.widgets["Notes"] = notes
        return notes

    def items(self):
        self.list = QListWidget()
        self.list.setAccessibleName("Items")
        self.list.setMaximumHeight(150)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        for n in range(1, scene.ITEMS + 1):
            item = QListWidgetItem("Item %d" % n)
            self.list.addItem(item)
            row = QWidget()
            layout = QHBoxLayout(row)
            layout.setContentsMargins(0, 0, 0, 0)
            remove = QPushButton("Remove")
            remove.clicked.connect(lambda _, k=n: diary(removed=k))
            layout.addStretch()
            layout.addWidget(remove)
            item.setSizeHint(row.sizeHint())
            self.list.setItemWidget(item, row)
        self.list.currentTextChanged.connect(lambda t: diary(selected=t))
        return self.list

    def orders(self):
        table = QTableWidget(scene.ROWS, 3)
        table.setAccessibleName("Orders")
        table.setMaximumHeight(150)
        table.setHorizontalHeaderLabels(scene.HEADERS)
        table.verticalHeader().hide()
        for n in range(1, scene.ROWS + 1):
            for column, text in enumerate(scene.order(n)):
                table.setItem(n - 1, column, QTableWidgetItem(text))
        table.itemSelectionChanged.connect(lambda: diary(selected=table.item(table.currentRow(), 0).text()))
        self.widgets["Orders"] = table
        return table

    def open_dialog(self, _):
        self.dialog = QDialog(self)
        self.dialog.setWindowTitle(scene.DIALOG)
        self.dialog.setModal(True)
        layout = QVBoxLayout(self.dialog)
        layout.addWidget(QLabel("Go on?"))
        answers = QDialogButtonBox(QDialogButtonBox.StandardButton.Yes | QDialogButtonBox.StandardButton.No)
        answers.clicked.connect(self.answered)
        layout.addWidget(answers)
        self.dialog.open()

    def answered(self, button):
        diary(dialog=scene.DIALOG, answer=button.text().replace("&", ""))
        self.dialog.close()

    def add_child(self, name):
        self.box.layout().addWidget(self.button(name))

    def remove_child(self, name):
        self.widgets.pop(name).deleteLater()

    def set_text(self, argument):
        name, _, text = argument.partition(" ")
        widget = self.widgets[name]
        (widget.setPlainText if name == "Notes" else widget.setText)(plain(text))

    def closeEvent(self, event):
        diary(closed=True)
        event.accept()

    def commands(self):
        return {
            "set-label": lambda a: self.said.setText(plain(a)),
            "set-text": self.set_text,
            "check": lambda a: self.widgets["Wrap"].setChecked(a != "off"),
            "add-child": self.add_child,
            "remove-child": self.remove_child,
            "scroll-list": lambda a: self.list.scrollToItem(self.list.item(int(a) - 1), QAbstractItemView.ScrollHint.PositionAtTop),
            "focus": lambda a: self.widgets[a].setFocus(),
            "open-dialog": self.open_dialog,
            "close-dialog": lambda _: self.dialog.close(),
            "title": lambda a: self.setWindowTitle(plain(a)),
            "hide": lambda a: self.widgets[a].hide(),
            "show": lambda a: self.widgets[a].show(),
            "quit": lambda _: self.close(),
        }


class Bystander(QWidget):
    def __init__(self):
        super().__init__()
        self.setWindowTitle(scene.BYSTANDER)
        hello = QPushButton("Hello")
        hello.clicked.connect(lambda: diary(clicked="Hello"))
        QVBoxLayout(self).addWidget(hello)
        self.resize(240, 120)
        self.show()

    def commands(self):
        return {"quit": lambda _: self.close()}


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    window = Bystander() if scene.is_bystander() else Main()
    loop = Loop()
    scene.listen(loop.heard.emit, window.commands(), app.quit)
    loop.heard.emit(lambda _: diary(ready=True), None)
    app.exec()
