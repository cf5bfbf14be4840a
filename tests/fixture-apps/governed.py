#!/usr/bin/python3
"""A window whose parts change on command while a question is open, and windows beside it. GTK 3.

What is clicked or checked is reported on standard output, one JSON object a line. Its title is the first argument."""
import sys

import gi

gi.require_version("Atk", "1.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Atk, Gdk, GdkX11, GLib, Gtk  # noqa: E402

import scene  # noqa: E402
from scene import diary, plain  # noqa: E402

GROUPS = ["Copies", "Originals"]
PLACES = [(10, 10), (10, 170)]


class Main:
    def __init__(self, title):
        self.title = title
        self.beside = {}
        self.build()

    def build(self):
        self.window = Gtk.Window(title=self.title, default_width=420, default_height=380)
        self.window.connect("destroy", lambda _: diary(closed=True))
        self.window.connect("key-press-event", lambda _, event: diary(key=Gdk.keyval_name(event.keyval)))
        self.table = Gtk.Fixed()
        self.groups = []
        for label, place in zip(GROUPS, PLACES):
            frame = Gtk.Frame(label=label, width_request=380, height_request=150)
            frame.inner = Gtk.Fixed()
            frame.add(frame.inner)
            self.table.put(frame, *place)
            self.groups.append(frame)
        self.button = self.new_button("Archive")
        self.groups[0].inner.put(self.button, 20, 20)
        self.check = Gtk.CheckButton(label="Keep")
        self.check.connect("toggled", lambda w: diary(toggled=w.get_active()))
        self.groups[0].inner.put(self.check, 20, 70)
        self.window.add(self.table)
        self.window.show_all()
        self.window.move(40, 40)

    def new_button(self, label):
        button = Gtk.Button(label=label, width_request=140, height_request=36)
        button.connect("clicked", lambda w: diary(clicked=w.get_label(), group=w.group.get_label()))
        button.group = self.groups[0]
        button.show()
        return button

    def rename(self, label):
        self.button.set_label(plain(label))

    def nudge(self, _):
        before = self.button.get_allocation().y
        self.groups[0].inner.move(self.button, 20, 60)
        # GTK moves it with the next frame. The command is done when it has moved.
        while self.button.get_allocation().y == before:
            Gtk.main_iteration()

    def replace(self, _):
        """Another button of the same name in the same place."""
        label = self.button.get_label()
        self.button.destroy()
        self.button = self.new_button(label)
        self.groups[0].inner.put(self.button, 20, 20)

    def check_it(self, on):
        self.check.set_active(on == "on")

    def enable(self, on):
        self.button.set_sensitive(on == "on")

    def reparent(self, _):
        """The same button in the other group, which takes the first one's place: on the screen it stays where it is."""
        first, second = self.groups
        first.inner.remove(self.button)
        second.inner.put(self.button, 20, 20)
        self.button.group = second
        for frame, place in zip((second, first), PLACES):
            self.table.move(frame, *place)

    def close(self, _):
        self.window.destroy()

    def reset(self, _):
        for window in list(self.beside.values()):
            window.destroy()
        self.beside.clear()
        self.window.destroy()
        self.build()

    def open_beside(self, argument):
        """beside TITLE|COLOUR|BUTTON|X|Y: a window of one colour with one button, in front of everything."""
        title, colour, label, x, y = plain(argument).split("|")
        window = Gtk.Window(title=title, default_width=360, default_height=300)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        css = Gtk.CssProvider()
        css.load_from_data(f"box {{ background: {colour}; }}".encode())
        box.get_style_context().add_provider(css, Gtk.STYLE_PROVIDER_PRIORITY_USER)
        button = Gtk.Button(label=label, halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER, expand=True)
        button.connect("clicked", lambda _: diary(clicked=label, window=title))
        box.add(button)
        window.add(box)
        window.connect("key-press-event", lambda _, event: diary(key=Gdk.keyval_name(event.keyval), window=title))
        window.show_all()
        window.move(int(x), int(y))
        # With the server's own time: for the window manager the user requested it.
        window.present_with_time(GdkX11.x11_get_server_time(window.get_window()))
        button.grab_focus()
        self.beside[title] = window

    def where(self, title):
        """Middle of the button in a window beside, on the screen."""
        window = self.beside[plain(title)]
        button = window.get_child().get_children()[0]
        _, x, y = window.get_window().get_origin()
        dx, dy = button.translate_coordinates(window, 0, 0)
        width, height = button.get_allocated_width(), button.get_allocated_height()
        diary(where=[x + dx + width // 2, y + dy + height // 2])

    def move_beside(self, argument):
        title, x, y = plain(argument).split("|")
        self.beside[title].move(int(x), int(y))

    def embed(self, _):
        """A terminal as part of the window, as in an editor."""
        terminal = Gtk.TextView(width_request=140, height_request=60)
        terminal.get_accessible().set_role(Atk.Role.TERMINAL)
        self.groups[1].inner.put(terminal, 20, 20)
        terminal.show()

    def commands(self):
        return {
            "embed": self.embed,
            "rename": self.rename,
            "nudge": self.nudge,
            "replace": self.replace,
            "check": self.check_it,
            "enable": self.enable,
            "reparent": self.reparent,
            "close": self.close,
            "reset": self.reset,
            "beside": self.open_beside,
            "where": self.where,
            "move": self.move_beside,
        }


if __name__ == "__main__":
    loop = GLib.MainLoop()
    main = Main(sys.argv[1])
    scene.listen(lambda work, line: GLib.idle_add(lambda: work(line) and False), main.commands(), loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
