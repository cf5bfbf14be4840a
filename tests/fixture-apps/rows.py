#!/usr/bin/python3
"""A GTK4 list of 1,000 items that recycles its rows.

Commands: scroll N, jump N (GTK 4.8 then draws nothing), tell, sleep-until FILE (answers nothing until that is there), quit.
"""
import os
import time

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, GObject, Gtk  # noqa: E402

import scene  # noqa: E402
from scene import diary  # noqa: E402

ITEMS = 1000


class Item(GObject.Object):
    def __init__(self, n):
        super().__init__()
        self.n = n


class Main:
    def __init__(self):
        self.window = Gtk.Window(title="Recycled rows", default_width=420, default_height=520)
        self.window.connect("close-request", lambda _: loop.quit())
        store = Gio.ListStore(item_type=Item)
        for n in range(1, ITEMS + 1):
            store.append(Item(n))
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", self.setup)
        factory.connect("bind", self.bind)
        self.view = Gtk.ListView(model=Gtk.NoSelection(model=store), factory=factory)
        self.view.update_property([Gtk.AccessibleProperty.LABEL], ["Files"])
        self.pane = Gtk.ScrolledWindow(overlay_scrolling=False, vexpand=True)
        self.pane.set_child(self.view)
        self.window.set_child(self.pane)
        self.window.present()

    def setup(self, _, item):
        row = Gtk.Box(spacing=6)
        row.append(Gtk.Label(xalign=0, hexpand=True))
        delete = Gtk.Button()
        delete.connect("clicked", lambda _: diary(deleted=item.get_item().n))
        row.append(delete)
        item.set_child(row)

    def bind(self, _, item):
        label = item.get_child().get_first_child()
        label.set_text("item%d" % item.get_item().n)
        label.get_next_sibling().set_label("Delete item%d" % item.get_item().n)

    def scroll(self, n):
        self.view.activate_action("list.scroll-to-item", GLib.Variant("u", int(n) - 1))

    def jump(self, n):
        bar = self.pane.get_vadjustment()
        bar.set_value((int(n) - 1) * bar.get_upper() / ITEMS)

    def tell(self, _):
        bar = self.pane.get_vadjustment()
        if bar.get_upper() == 0:  # After a jump GTK forgets the height until it lays out again.
            diary(first=0, last=0)
            return
        height = bar.get_upper() / ITEMS
        first = int(bar.get_value() / height) + 1
        last = min(ITEMS, int((bar.get_value() + bar.get_page_size() - 1) / height) + 1)
        diary(first=first, last=last)


def sleep_until(file):
    """Busy with itself until the file is there: longer than any reader may wait."""
    diary(sleeping=True)
    while not os.path.exists(file):
        time.sleep(0.02)


if __name__ == "__main__":
    Gtk.init()
    loop = GLib.MainLoop()
    main = Main()
    commands = {
        "scroll": main.scroll,
        "jump": main.jump,
        "sleep-until": sleep_until,
        "tell": main.tell,
        "quit": lambda _: main.window.close(),
    }
    scene.listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), commands, loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
