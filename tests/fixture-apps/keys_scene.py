"""A form for tests about keys, in GTK 3, GTK 4 or Qt: `keys_scene.py TOOLKIT`.

Enter in the subject presses Send, the default button. Public is a radio button beside Private, Urgent an option beside
Low, and alt+s is the mnemonic of Send. From everywhere ctrl+d presses Deploy and alt+k Archive, although no name has
that letter. `lists` (Qt) puts two lists with a current item above the form, `suggest` (GTK 3, Qt) lets the subject
suggest words. `focus Cancel` opens a dialog, in which Escape cancels; any other focus closes it. Everything that is pressed or chosen is one line of the diary."""
import sys

import scene
from scene import diary

TITLE = "Compose"
SUGGESTED = ["Draft", "Drop Urgent"]
RADIOS = ["Private", "Public"]
OPTIONS = ["Low", "Normal", "Urgent"]


def gtk(version):
    import gi

    gi.require_version("Gtk", version)
    gi.require_version("Gdk", version)
    from gi.repository import Gdk, GLib, Gtk

    old = version == "3.0"
    window = Gtk.Window(title=TITLE, default_width=360, default_height=320)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    add = (lambda parent, child: parent.add(child)) if old else (lambda parent, child: parent.append(child))
    label = Gtk.Label(label="Subject")
    subject = Gtk.Entry(activates_default=True)
    send = Gtk.Button(label="_Send", use_underline=True)
    keep = Gtk.Button(label="Keep")
    for button, name in ((send, "Send"), (keep, "Keep")):
        button.connect("clicked", lambda _, name=name: diary(clicked=name))
    archive, letter = Gtk.Button(label="Archive"), Gtk.Label(label="_K", use_underline=True)
    archive.connect("clicked", lambda _: diary(clicked="Archive"))
    letter.set_mnemonic_widget(archive)
    deploy = lambda *_: diary(clicked="Deploy") or True
    add(box, label)
    add(box, subject)
    add(box, send)
    add(box, keep)
    if old:
        keys = Gtk.AccelGroup()
        window.add_accel_group(keys)
        item, menu, bar = Gtk.MenuItem(label="Deploy"), Gtk.Menu(), Gtk.MenuBar()
        item.connect("activate", deploy)
        item.add_accelerator("activate", keys, Gdk.KEY_d, Gdk.ModifierType.CONTROL_MASK, Gtk.AccelFlags.VISIBLE)
        top = Gtk.MenuItem(label="Issue")
        top.set_submenu(menu)
        menu.append(item)
        bar.append(top)
        add(box, bar)
    else:
        button = Gtk.Button(label="Deploy")
        button.connect("clicked", deploy)
        shortcut = Gtk.Shortcut.new(Gtk.ShortcutTrigger.parse_string("<Control>d"), Gtk.CallbackAction.new(deploy))
        controller = Gtk.ShortcutController(scope=Gtk.ShortcutScope.GLOBAL)
        controller.add_shortcut(shortcut)
        window.add_controller(controller)
        add(box, button)
    add(box, letter)
    add(box, archive)
    group = None
    for at, name in enumerate(RADIOS):
        if old:
            radio = Gtk.RadioButton(label=name, group=group)
        else:
            radio = Gtk.CheckButton(label=name, group=group, active=at == 0)
        radio.connect("toggled", lambda w, name=name: w.get_active() and diary(chosen=name))
        group = group or radio
        add(box, radio)
    if old:
        combo = Gtk.ComboBoxText()
        for option in OPTIONS:
            combo.append_text(option)
        combo.set_active(0)
        combo.connect("changed", lambda w: diary(chosen=w.get_active_text()))
        combo.get_accessible().set_name("Priority")
        subject.get_accessible().set_name("Subject")
        send.set_can_default(True)
        window.add(box)
        window.show_all()
        window.set_default(send)
    else:
        combo = Gtk.DropDown.new_from_strings(OPTIONS)
        combo.connect("notify::selected-item", lambda w, _: diary(chosen=w.get_selected_item().get_string()))
        for widget, name in ((combo, "Priority"), (subject, "Subject")):
            widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
        window.set_child(box)
        window.set_default_widget(send)
        window.present()
    add(box, combo)
    if old:
        combo.show()
    loop = GLib.MainLoop()
    dialogs = []

    def responded(dialog, response):
        diary(clicked="Cancel" if response in (Gtk.ResponseType.CANCEL, Gtk.ResponseType.DELETE_EVENT) else "Apply")
        closed()

    def closed():
        while dialogs:
            dialogs.pop().destroy()

    def focus(name):
        closed()
        if name != "Cancel":
            return {"Subject": subject, "Keep": keep, "Private": group, "Priority": combo}[name].grab_focus()
        dialog = Gtk.Dialog(title=scene.DIALOG, transient_for=window)
        dialog.add_button("Apply", Gtk.ResponseType.APPLY)
        cancel = dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
        dialog.connect("response", responded)
        dialogs.append(dialog)
        dialog.present()
        cancel.grab_focus()

    def suggest(_):
        words = Gtk.ListStore(str)
        for word in SUGGESTED:
            words.append([word])
        completion = Gtk.EntryCompletion(model=words)
        completion.set_text_column(0)
        completion.connect("match-selected", lambda _, model, row: diary(chosen=model[row][0]) or False)
        subject.set_completion(completion)

    commands = {"focus": focus, "suggest": suggest}
    scene.listen(lambda work, line: GLib.idle_add(lambda: work(line) and False), commands, loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()


def qt():
    from PyQt5.QtCore import QObject, pyqtSignal
    from PyQt5.QtWidgets import (
        QApplication,
        QComboBox,
        QCompleter,
        QDialog,
        QLineEdit,
        QListWidget,
        QMessageBox,
        QPushButton,
        QRadioButton,
        QVBoxLayout,
    )

    class Loop(QObject):
        heard = pyqtSignal(object, object)

    app = QApplication(sys.argv)
    window = QDialog()
    window.setWindowTitle(TITLE)
    layout = QVBoxLayout(window)
    subject = QLineEdit()
    subject.setAccessibleName("Subject")
    send, keep = QPushButton("&Send"), QPushButton("Keep")
    send.setDefault(True)
    send.clicked.connect(lambda: diary(clicked="Send"))
    keep.clicked.connect(lambda: diary(clicked="Keep"))
    radios = [QRadioButton(name) for name in RADIOS]
    radios[0].setChecked(True)
    for radio in radios:
        radio.toggled.connect(lambda on, radio=radio: on and diary(chosen=radio.text()))
    combo = QComboBox()
    combo.setAccessibleName("Priority")
    combo.addItems(OPTIONS)
    combo.currentTextChanged.connect(lambda text: diary(chosen=text))
    archive, deploy = QPushButton("Archive"), QPushButton("Deploy")
    archive.setShortcut("Alt+K")
    deploy.setShortcut("Ctrl+D")
    archive.clicked.connect(lambda: diary(clicked="Archive"))
    deploy.clicked.connect(lambda: diary(clicked="Deploy"))
    for widget in (subject, send, keep, *radios, combo, archive, deploy):
        layout.addWidget(widget)
    window.show()
    window.finished.connect(app.quit)
    loop = Loop()
    loop.heard.connect(lambda perform, line: perform(line))
    places = {"Subject": subject, "Keep": keep, "Private": radios[0], "Priority": combo}
    dialogs = []

    def focus(name):
        while dialogs:
            dialogs.pop().done(7)
        if name != "Cancel":
            window.activateWindow()
            return places[name].setFocus()
        dialog = QMessageBox(window)
        dialog.setWindowTitle(scene.DIALOG)
        dialog.setText("Apply it?")
        dialog.addButton("Apply", QMessageBox.AcceptRole)
        cancel = dialog.addButton("Cancel", QMessageBox.RejectRole)
        cancel.clicked.connect(lambda: diary(clicked="Cancel"))
        dialogs.append(dialog)
        dialog.open()
        cancel.setFocus()

    def lists(_):
        for name in ("Folders", "Messages"):
            view = QListWidget()
            view.setAccessibleName(name)
            view.addItems([name + " one", name + " two"])
            view.setCurrentRow(0)
            layout.insertWidget(0, view)
            places[name] = view

    def suggest(_):
        completer = QCompleter(SUGGESTED)
        completer.activated[str].connect(lambda text: diary(chosen=text))
        subject.setCompleter(completer)

    places["Send"] = send
    scene.listen(loop.heard.emit, {"focus": focus, "lists": lists, "suggest": suggest}, app.quit)
    diary(ready=True)
    app.exec_()


if __name__ == "__main__":
    {"gtk3": lambda: gtk("3.0"), "gtk4": lambda: gtk("4.0"), "qt": qt}[sys.argv[1]]()
