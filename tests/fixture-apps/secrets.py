#!/usr/bin/python3
"""Fields that hold secrets, in the toolkit that the first argument names (gtk3, gtk4, qt).

Commands: fill TEXT, focus FIELD, tell FIELD, show (what is hidden), echo FIELD (in the title and in labels).
"""
import base64
import sys

import scene
from scene import diary

KIT = sys.argv[1]
TITLE = "Secrets in " + KIT
# Hidden by the app, plain but labelled like a secret, plain and harmless.
HIDDEN = ["Password"]
LABELLED = ["API key", "PIN"]
HARMLESS = "Name"


def gtk3():
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk

    window = Gtk.Window(title=TITLE, default_width=420)
    grid = Gtk.Grid(row_spacing=6, column_spacing=6, margin=10)
    fields = {}
    for row, name in enumerate(HIDDEN + LABELLED + [HARMLESS]):
        fields[name] = Gtk.Entry(visibility=name not in HIDDEN, hexpand=True)
        label = Gtk.Label(label=name, xalign=0)
        label.set_mnemonic_widget(fields[name])
        grid.attach(label, 0, row, 1, 1)
        grid.attach(fields[name], 1, row, 1, 1)
    echo = Gtk.Label(label="nothing yet", wrap=True)
    grid.attach(echo, 0, 9, 2, 1)
    fields["_echo"] = (window.set_title, echo.set_label)
    window.add(grid)
    window.connect("destroy", lambda _: loop.quit())
    window.show_all()
    loop = GLib.MainLoop()
    return fields, lambda perform, line: GLib.idle_add(lambda: perform(line) and False), loop.quit, loop.run


def gtk4():
    import gi

    gi.require_version("Gtk", "4.0")
    from gi.repository import GLib, Gtk

    Gtk.init()
    window = Gtk.Window(title=TITLE, default_width=420)
    grid = Gtk.Grid(row_spacing=6, column_spacing=6)
    fields = {"Password": Gtk.PasswordEntry(show_peek_icon=True), "Passphrase": Gtk.Entry(visibility=False)}
    for name in LABELLED + [HARMLESS]:
        fields[name] = Gtk.Entry()
    for row, (name, field) in enumerate(fields.items()):
        field.set_hexpand(True)
        label = Gtk.Label(label=name, xalign=0)
        label.set_mnemonic_widget(field)
        field.update_property([Gtk.AccessibleProperty.LABEL], [name])
        grid.attach(label, 0, row, 1, 1)
        grid.attach(field, 1, row, 1, 1)
    echo = Gtk.Label(label="nothing yet", wrap=True)
    grid.attach(echo, 0, 9, 2, 1)
    fields["_echo"] = (window.set_title, echo.set_label)
    window.set_child(grid)
    window.present()
    loop = GLib.MainLoop()
    return fields, lambda perform, line: GLib.idle_add(lambda: perform(line) and False), loop.quit, loop.run


def qt():
    from PyQt5.QtCore import QObject, pyqtSignal
    from PyQt5.QtWidgets import QApplication, QFormLayout, QLabel, QLineEdit, QWidget

    class Loop(QObject):
        heard = pyqtSignal(object, object)

    app = QApplication([])
    loop = Loop()
    loop.heard.connect(lambda perform, line: perform(line))
    window = QWidget()
    window.setWindowTitle(TITLE)
    window.resize(420, 200)
    form = QFormLayout(window)
    fields = {}
    for name in HIDDEN + LABELLED + [HARMLESS]:
        fields[name] = QLineEdit()
        if name in HIDDEN:
            fields[name].setEchoMode(QLineEdit.Password)
        form.addRow(name, fields[name])
    echo = QLabel("nothing yet")
    form.addRow(echo)
    fields["_echo"] = (window.setWindowTitle, echo.setText)
    window.show()
    fields["_kept"] = (app, window, loop)
    return fields, loop.heard.emit, app.quit, app.exec_


fields, in_loop, stop, run = {"gtk3": gtk3, "gtk4": gtk4, "qt": qt}[KIT]()
named = {name: field for name, field in fields.items() if not name.startswith("_")}


def fill(text):
    for name, field in named.items():
        if KIT == "qt":
            field.setText(text if name != HARMLESS else "Ada")
        else:
            field.set_text(text if name != HARMLESS else "Ada")


def focus(name):
    field = named[name]
    if KIT == "qt":
        field.setFocus()
        field.selectAll()
    else:
        field.grab_focus()
        field.select_region(0, -1)


def text_of(name):
    return named[name].text() if KIT == "qt" else named[name].get_text()


def show(_):
    for name in HIDDEN:
        if KIT == "qt":
            named[name].setEchoMode(0)
        elif KIT == "gtk3":
            named[name].set_visibility(True)
        else:
            named[name].get_delegate().set_visibility(True)


def echo(name):
    text = text_of(name)
    title, label = fields["_echo"]
    coded = base64.b64encode(text.encode()).decode()
    title(TITLE + ": " + text)
    label(" | ".join(["you typed " + text, text.upper(), coded, text[:-2] + "...", "file '" + text + ".txt' not found"]))


def tell(name):
    diary(holds=name, text=text_of(name))


scene.listen(in_loop, {"fill": fill, "focus": focus, "tell": tell, "show": show, "echo": echo, "quit": lambda _: stop()}, stop)
in_loop(lambda _: diary(ready=True), None)
run()
