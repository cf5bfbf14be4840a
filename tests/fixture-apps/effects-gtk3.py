#!/usr/bin/python3
"""Effects in GTK 3 that the tree hardly shows. The diary: {"ticked": "Bread", "on": true}, {"pressed": "Paint"}. What each
button does is in effects_scene.py."""
import time

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

from effects_scene import BUSY, BUTTONS, GOODS, LATE_MS  # noqa: E402
from scene import diary, listen  # noqa: E402


class Main(Gtk.Window):
    def __init__(self):
        super().__init__(title="Effects", default_width=640, default_height=520)
        self.painted = 0
        self.turn = 0
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=8)
        buttons = Gtk.Box(spacing=6)
        for name in BUTTONS:
            button = Gtk.Button(label=name)
            button.connect("clicked", lambda _, n=name: self.pressed(n))
            buttons.add(button)
        column.add(buttons)
        self.canvas = Gtk.DrawingArea()
        self.canvas.set_size_request(600, 120)
        self.canvas.get_accessible().set_name("Canvas")
        self.canvas.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
        self.canvas.connect("button-press-event", lambda *_: self.pressed("Paint"))
        self.canvas.connect("draw", self.draw)
        column.add(self.canvas)
        self.ring = Gtk.DrawingArea()
        self.ring.set_size_request(20, 20)
        self.ring.set_halign(Gtk.Align.START)
        self.ring.connect("draw", self.draw_ring)
        column.add(self.ring)
        self.field = Gtk.Entry(text="Words to copy")
        column.add(self.field)
        column.pack_start(self.table(), True, True, 0)
        self.add(column)
        self.show_all()
        self.field.grab_focus()

    def table(self):
        store = Gtk.ListStore(str, bool)
        for name in GOODS:
            store.append([name, False])
        view = Gtk.TreeView(model=store)
        view.get_accessible().set_name("Goods")
        tick = Gtk.CellRendererToggle(activatable=True)
        tick.connect("toggled", self.ticked, store)
        view.connect("row-activated", lambda _, path, __: self.ticked(None, path, store))
        view.append_column(Gtk.TreeViewColumn("Have", tick, active=1))
        view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
        return view

    def ticked(self, _, path, store):
        store[path][1] = not store[path][1]
        diary(ticked=store[path][0], on=store[path][1])

    def pressed(self, name):
        diary(pressed=name)
        if name == "Paint":
            self.paint()
        elif name == "Copy":
            Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_text("copied", -1)
        elif name == "Work":
            end = time.monotonic() + LATE_MS / 1000
            GLib.idle_add(self.work, end)

    def work(self, end):
        """Computes, and answers meanwhile."""
        if time.monotonic() < end:
            sum(i * i for i in range(BUSY))
            return True
        self.paint()
        return False

    def paint(self):
        self.painted += 1
        self.canvas.queue_draw_area(40 * self.painted, 20, 32, 32)

    def draw(self, _, cr):
        cr.set_source_rgb(0.1, 0.5, 0.2)
        for at in range(self.painted):
            cr.rectangle(40 * (at + 1), 20, 32, 32)
        cr.fill()

    def draw_ring(self, _, cr):
        cr.set_source_rgb(0.8, (self.turn % 8) / 8, 0)
        cr.rectangle(0, 0, 20, 20)
        cr.fill()

    def spin(self, _):
        def step():
            self.turn += 1
            self.ring.queue_draw()
            return True

        GLib.timeout_add(50, step)


if __name__ == "__main__":
    window = Main()
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), {"spin": window.spin}, Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
