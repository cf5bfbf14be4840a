#!/usr/bin/python3
"""A parcel in one window and a shelf in another; GTK 3. What is dropped where is reported on standard output.

`--covered`: once something is dragged, a third window comes over the shelf, which takes things as well."""
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

from scene import diary  # noqa: E402

KIND = [Gtk.TargetEntry.new("text/plain", 0, 0)]


def window(title, label, x):
    shown = Gtk.Window(title=title, default_width=300, default_height=200)
    box = Gtk.EventBox()
    box.add(Gtk.Label(label=label))
    shown.add(box)
    shown.connect("destroy", Gtk.main_quit)
    shown.move(x, 100)
    shown.show_all()
    return box


def takes(box, name):
    box.drag_dest_set(Gtk.DestDefaults.ALL, KIND, Gdk.DragAction.COPY)
    box.connect("drag-data-received", lambda _, __, ___, ____, data, *_____: diary(dropped=data.get_data().decode(), onto=name))


def cover(*_):
    takes(window("Plain cover", "Cover", 600), "Cover")


def failed(_, __, why):
    diary(failed=why.value_nick)
    return True


parcel = window("Plain sender", "Parcel", 50)
parcel.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, KIND, Gdk.DragAction.COPY)
parcel.connect("drag-data-get", lambda _, __, data, *___: data.set(data.get_target(), 8, b"Parcel"))
parcel.connect("drag-failed", failed)
if "--covered" in sys.argv:
    parcel.connect("drag-begin", cover)
takes(window("Plain receiver", "Shelf", 600), "Shelf")
GLib.idle_add(lambda: diary(ready=True) and False)
Gtk.main()
