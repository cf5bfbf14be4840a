#!/usr/bin/python3
"""A combo box of GTK 3 whose list has options and, in menus of its own, more of them. The diary: {"selected": "Plum"}."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

from scene import diary, listen  # noqa: E402


class Main(Gtk.Window):
    def __init__(self):
        super().__init__(title="Options in menus", default_width=300, default_height=160)
        store = Gtk.TreeStore(str)
        for name, inside in (("Plain", ()), ("Fruit", ("Apple", "Plum")), ("Other", ())):
            top = store.append(None, [name])
            for one in inside:
                store.append(top, [one])
        combo = Gtk.ComboBox(model=store, active=0)
        words = Gtk.CellRendererText()
        combo.pack_start(words, True)
        combo.add_attribute(words, "text", 0)
        combo.get_accessible().set_name("Kind")
        combo.connect("changed", lambda w: diary(selected=store[w.get_active_iter()][0]))
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        column.pack_start(combo, False, False, 0)
        self.add(column)
        self.show_all()


if __name__ == "__main__":
    window = Main()
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), {"sleep": lambda _: None}, Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
