#!/usr/bin/python3
"""Effects in GTK 4 that the tree hardly shows; what each button does is in effects_scene.py. The canvas paints by CSS."""
import time

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

from effects_scene import BUSY, BUTTONS, GOODS, LATE_MS  # noqa: E402
from scene import diary, listen  # noqa: E402


class Main(Gtk.Window):
    def __init__(self):
        super().__init__(title="Effects", default_width=640, default_height=520)
        self.painted = self.turn = 0
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        buttons = Gtk.Box(spacing=6)
        for name in BUTTONS:
            button = Gtk.Button(label=name)
            button.connect("clicked", lambda _, n=name: self.pressed(n))
            buttons.append(button)
        column.append(buttons)
        canvas = Gtk.Box(spacing=8)
        canvas.set_size_request(600, 60)
        self.squares = [self.square(canvas, 32) for _ in range(12)]
        column.append(canvas)
        rings = Gtk.Box()
        self.ring = self.square(rings, 20)
        column.append(rings)
        column.append(self.list())
        self.set_child(column)
        self.present()

    def square(self, box, size):
        """Only its colour changes."""
        square = Gtk.Box()
        square.set_size_request(size, size)
        square.set_valign(Gtk.Align.CENTER)
        square.css = Gtk.CssProvider()
        square.get_style_context().add_provider(square.css, Gtk.STYLE_PROVIDER_PRIORITY_USER)
        box.append(square)
        return square

    def fill(self, square, colour):
        square.css.load_from_data(f"box {{ background: {colour}; }}".encode())

    def list(self):
        rows = Gtk.ListBox()
        for name in GOODS:
            box = Gtk.CheckButton(label=name)
            box.connect("toggled", lambda b: diary(ticked=b.get_label(), on=b.get_active()))
            rows.append(box)
        return rows

    def pressed(self, name):
        diary(pressed=name)
        if name == "Paint":
            self.paint()
        elif name == "Copy":
            Gdk.Display.get_default().get_clipboard().set("copied")
        elif name == "Work":
            GLib.idle_add(self.work, time.monotonic() + LATE_MS / 1000)

    def work(self, end):
        if time.monotonic() < end:
            sum(i * i for i in range(BUSY))
            return True
        self.paint()
        return False

    def paint(self):
        self.fill(self.squares[self.painted], "#1a8033")
        self.painted += 1

    def spin(self, _):
        def step():
            self.turn += 1
            self.fill(self.ring, ("#cc0000", "#cc8800")[self.turn % 2])
            return True

        GLib.timeout_add(50, step)


if __name__ == "__main__":
    window = Main()
    loop = GLib.MainLoop()
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), {"spin": window.spin}, loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
