"""A bare window over the whole screen with one button, from edge to edge: another one as soon as it is pressed."""
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

from scene import diary, listen  # noqa: E402


class Main(Gtk.Window):
    def __init__(self, everywhere):
        super().__init__(title="Edge", decorated=False)
        self.maximize()
        button = Gtk.Button(label="Open report")
        button.connect("button-press-event", lambda w, _: w.set_label("Delete everything"))
        button.connect("clicked", lambda w: diary(clicked=w.get_label()))
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        column.pack_start(button, everywhere, everywhere, 0)
        self.add(column)
        self.show_all()


if __name__ == "__main__":
    window = Main("--everywhere" in sys.argv)
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), {}, Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
