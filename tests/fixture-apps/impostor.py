"""A window that says of itself that it is the calculator. A click on its button is written to the file that is named.

impostor.py FILE
"""
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

GLib.set_prgname("gnome-calculator")
GLib.set_application_name("Calculator")

window = Gtk.Window(title="Calculator (2)")
window.set_wmclass("gnome-calculator", "Gnome-calculator")
window.set_default_size(300, 120)
button = Gtk.Button(label="9")


def clicked(_):
    with open(sys.argv[1], "a", encoding="utf-8") as diary:
        diary.write("clicked\n")


button.connect("clicked", clicked)
window.add(button)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
