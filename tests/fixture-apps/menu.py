"""A window, with the title from its argument, that opens a menu by itself: `open TITLE`, `close`. What is chosen is in the diary."""
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

from scene import diary, listen  # noqa: E402


class Main(Gtk.Window):
    def __init__(self):
        super().__init__(title="Menus", default_width=300, default_height=160)
        self.field = Gtk.Entry()
        self.field.connect("changed", lambda w: diary(text=w.get_text()))
        self.field.get_accessible().set_name("Field")
        self.add(self.field)
        self.menu = Gtk.Menu()
        for name in ("Transfer all", "Cancel"):
            item = Gtk.MenuItem(label=name)
            item.connect("activate", lambda _, n=name: diary(chosen=n))
            self.menu.append(item)
        self.menu.show_all()
        self.show_all()
        self.move(700, 100)

    def open(self, title):
        self.set_title(title)
        self.menu.popup_at_widget(self.field, Gdk.Gravity.SOUTH_WEST, Gdk.Gravity.NORTH_WEST, None)


if __name__ == "__main__":
    window = Main()
    commands = {"open": window.open, "close": lambda _: window.menu.popdown()}
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), commands, Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
