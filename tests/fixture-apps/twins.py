#!/usr/bin/python3
"""Two of everything: boxes with the same button and the same nameless field in each. Its title is the first argument.

What is clicked or typed is reported on standard output, one JSON object a line, with the box that it is in."""
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

from scene import diary  # noqa: E402


def box(title, label):
    frame = Gtk.Frame(label=title)
    grid = Gtk.Grid(column_spacing=12, row_spacing=6, margin=8)
    # No mnemonic: nothing but its place says which field the label is for.
    grid.attach(Gtk.Label(label=label, xalign=0), 0, 0, 1, 1)
    field = Gtk.Entry()
    field.connect("changed", lambda entry: diary(typed=entry.get_text(), box=title))
    grid.attach(field, 1, 0, 1, 1)
    button = Gtk.Button(label="Edit")
    button.connect("clicked", lambda _: diary(clicked="Edit", box=title))
    grid.attach(button, 2, 0, 1, 1)
    frame.add(grid)
    return frame


def main():
    window = Gtk.Window(title=sys.argv[1])
    window.connect("destroy", Gtk.main_quit)
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin=8)
    for title, label in (("Billing", "Total"), ("Shipping", "Weight")):
        column.add(box(title, label))
    if len(sys.argv) > 2:
        alone = Gtk.Button(label=sys.argv[2])
        alone.connect("clicked", lambda _: diary(clicked=sys.argv[2], box=""))
        column.add(alone)
    window.add(column)
    window.show_all()
    GLib.idle_add(lambda: diary(ready=True))
    Gtk.main()


main()
