#!/usr/bin/python3
"""A GTK4 list box with a widget for each of its 300 rows, and a list view that hands its rows on.

Commands: remove N (a row of the box), scroll N (the view), quit.
"""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

import scene  # noqa: E402
from scene import diary  # noqa: E402

ROWS = 300


def in_pane(child, name):
    child.update_property([Gtk.AccessibleProperty.LABEL], [name])
    pane = Gtk.ScrolledWindow(overlay_scrolling=False, vexpand=True)
    pane.set_child(child)
    return pane


class Main:
    def __init__(self):
        self.window = Gtk.Window(title="Plain lists", default_width=420, default_height=520)
        self.window.connect("close-request", lambda _: loop.quit())
        self.box = Gtk.ListBox()
        for n in range(1, ROWS + 1):
            self.box.append(Gtk.Label(label="row%d" % n))
        self.rows = [self.box.get_row_at_index(i) for i in range(ROWS)]
        self.box.connect("row-selected", lambda _, row: row and diary(row=row.get_child().get_text()))
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", lambda _, item: item.set_child(Gtk.Label()))
        factory.connect("bind", lambda _, item: item.get_child().set_text(item.get_item().get_string()))
        lines = Gtk.StringList.new(["line%d" % n for n in range(1, ROWS + 1)])
        self.chosen = Gtk.SingleSelection(model=lines, autoselect=False)
        self.chosen.connect("notify::selected-item", lambda one, _: diary(line=one.get_selected_item().get_string()))
        self.view = Gtk.ListView(model=self.chosen, factory=factory)
        both = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        both.append(in_pane(self.box, "Box"))
        both.append(in_pane(self.view, "View"))
        self.window.set_child(both)
        self.window.present()

    def remove(self, n):
        self.box.remove(self.rows[int(n) - 1])

    def scroll(self, n):
        self.view.activate_action("list.scroll-to-item", GLib.Variant("u", int(n) - 1))


if __name__ == "__main__":
    Gtk.init()
    loop = GLib.MainLoop()
    main = Main()
    commands = {"remove": main.remove, "scroll": main.scroll, "quit": lambda _: main.window.close()}
    scene.listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), commands, loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
