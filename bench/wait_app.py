#!/usr/bin/python3
"""A window with a tick box, and others on demand, in GTK 3 or Qt: wait_app.py gtk3|qt. One command a line on standard
input (open N, close, toggle); each is answered with the moment, in milliseconds since the epoch, at which it happened."""
import sys
import threading
import time


def tell(word):
    sys.stdout.write("%s %.3f\n" % (word, time.time() * 1000))
    sys.stdout.flush()


def listen(perform):
    def read():
        for line in sys.stdin:
            perform(line.split())

    threading.Thread(target=read, daemon=True).start()


def gtk3():
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk

    window = Gtk.Window(title="Bench gtk3", default_width=300, default_height=200)
    box = Gtk.CheckButton(label="Tick")
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    column.add(box)
    lines = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for n in range(30):
        lines.add(Gtk.Label(label="Line %d" % n))
    column.add(lines)
    window.add(column)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    others = []

    def perform(words):
        if words[0] == "toggle":
            tell("toggle")
            box.set_active(not box.get_active())
        elif words[0] == "close":
            others.pop().destroy()
        else:
            other = Gtk.Window(title="Bench window %s" % words[1], default_width=200, default_height=100)
            other.connect("map-event", lambda *_: tell("mapped") and False)
            others.append(other)
            other.show_all()
        return False

    listen(lambda words: GLib.idle_add(perform, words))
    tell("ready")
    Gtk.main()


def qt():
    from PyQt5.QtCore import QObject, pyqtSignal
    from PyQt5.QtWidgets import QApplication, QCheckBox, QGroupBox, QLabel, QVBoxLayout, QWidget

    app = QApplication(sys.argv[:1])
    window = QWidget()
    window.setWindowTitle("Bench qt")
    column = QVBoxLayout(window)
    box = QCheckBox("Tick")
    column.addWidget(box)
    lines = QGroupBox("Lines")
    inner = QVBoxLayout(lines)
    for n in range(30):
        inner.addWidget(QLabel("Line %d" % n))
    column.addWidget(lines)
    window.show()

    class Loop(QObject):
        heard = pyqtSignal(object)

    def perform(words):
        if words[0] == "toggle":
            tell("toggle")
            box.setChecked(not box.isChecked())

    loop = Loop()
    loop.heard.connect(perform)
    listen(loop.heard.emit)
    tell("ready")
    app.exec_()


{"gtk3": gtk3, "qt": qt}[sys.argv[1]]()
