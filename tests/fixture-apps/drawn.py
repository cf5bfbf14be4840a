"""Regions that draw themselves, beside ones that do not: python3 drawn.py 3|4"""

import sys

import gi

version = sys.argv[1]
gi.require_version("Gtk", f"{version}.0")
from gi.repository import Gtk  # noqa: E402


def paint(_area, cr, *_size):
    cr.set_font_size(20)
    cr.move_to(10, 40)
    cr.show_text("drawn words")


def area(name=None):
    one = Gtk.DrawingArea(can_focus=True)
    one.set_size_request(200, 80)
    if version == "3":
        one.connect("draw", paint)
        if name:
            one.get_accessible().set_name(name)
    else:
        one.set_draw_func(paint)
        if name:
            one.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return one


def fill(window):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    add = box.add if version == "3" else box.append
    add(Gtk.Label(label="Above the drawing"))
    add(area("Diagram"))
    add(area())
    icons = Gtk.IconView(text_column=0)
    store = Gtk.ListStore(str)
    for name in ["Alpha", "Beta"]:
        store.append([name])
    icons.set_model(store)
    icons.set_size_request(200, 60)
    add(icons)
    add(Gtk.Calendar())
    small = Gtk.DrawingArea()
    small.set_size_request(16, 16)
    add(small)
    empty = Gtk.Box()
    empty.set_size_request(200, 60)
    add(empty)
    add(Gtk.Button(label="Below the drawing"))
    window.set_child(box) if version == "4" else window.add(box)
    window.set_title("Drawn")
    window.show_all() if version == "3" else window.present()


if version == "3":
    top = Gtk.Window()
    top.connect("destroy", Gtk.main_quit)
    fill(top)
    Gtk.main()
else:
    app = Gtk.Application(application_id="org.example.drawn")
    app.connect("activate", lambda a: fill(Gtk.ApplicationWindow(application=a)))
    app.run([])
