#!/usr/bin/python3
"""Rows in GTK 3 with a control in their middle, as a list of widgets and as a table of cells. What the mouse did to them is
in the diary: {"toggled": "One", "on": true}, {"pressed": "Two"}, {"chosen": "One"}, {"dropped": "One", "onto": "Two"}."""
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

from scene import diary, listen  # noqa: E402

ROWS = ("One", "Two", "Three")
DAYS = ("Army Day", "Workers Day", "Garden Day")
KIND = [Gtk.TargetEntry.new("text/plain", Gtk.TargetFlags.SAME_APP, 0)]


class Main(Gtk.Window):
    def __init__(self):
        super().__init__(title="Rows with controls", default_width=600, default_height=420)
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8)
        column.pack_start(self.list(), False, False, 0)
        column.pack_start(self.table(), True, True, 0)
        self.add(column)
        self.show_all()

    def list(self):
        rows = self.rows = Gtk.ListBox()
        rows.connect("row-selected", lambda _, row: row and diary(chosen=row.name))
        for name in ROWS:
            row, inside = Gtk.ListBoxRow(), Gtk.EventBox()
            row.name = inside.name = name
            parts = Gtk.Box(homogeneous=True)
            parts.pack_start(Gtk.Label(label=name), True, True, 0)
            parts.pack_start(self.control(name), True, True, 0)
            parts.pack_start(Gtk.Label(label="since May"), True, True, 0)
            inside.add(parts)
            row.add(inside)
            inside.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, KIND, Gdk.DragAction.COPY)
            inside.connect("drag-data-get", lambda w, _, data, *__: data.set(data.get_target(), 8, w.name.encode()))
            inside.drag_dest_set(Gtk.DestDefaults.ALL, KIND, Gdk.DragAction.COPY)
            inside.connect("drag-data-received", lambda w, _, x, y, data, *__: diary(dropped=data.get_data().decode(), onto=w.name))
            rows.add(row)
        return rows

    def control(self, name):
        if name == "Two":
            button = Gtk.Button(label="Remove")
            button.connect("clicked", lambda _: diary(pressed=name))
            return button
        box = Gtk.CheckButton(label="Done")
        box.connect("toggled", lambda w: diary(toggled=name, on=w.get_active()))
        return box

    def table(self):
        store = Gtk.ListStore(str, bool, str)
        for name in DAYS:
            store.append([name, False, "May"])
        view = self.view = Gtk.TreeView(model=store)
        view.get_accessible().set_name("Days")
        tick = Gtk.CellRendererToggle(activatable=True)
        tick.connect("toggled", self.ticked, store)
        for title, cell, shown in (("Day", Gtk.CellRendererText(), {"text": 0}), ("Kept", tick, {"active": 1}), ("Month", Gtk.CellRendererText(), {"text": 2})):
            column = Gtk.TreeViewColumn(title, cell, **shown)
            column.set_sizing(Gtk.TreeViewColumnSizing.FIXED)
            column.set_fixed_width(200)
            view.append_column(column)
        view.get_selection().connect("changed", self.selected)
        view.enable_model_drag_source(Gdk.ModifierType.BUTTON1_MASK, KIND, Gdk.DragAction.COPY)
        view.enable_model_drag_dest(KIND, Gdk.DragAction.COPY)
        view.connect("drag-data-get", self.give)
        view.connect("drag-data-received", self.take)
        return view

    def ticked(self, _, path, store):
        store[path][1] = not store[path][1]
        diary(toggled=store[path][0], on=store[path][1])

    def selected(self, selection):
        store, at = selection.get_selected()
        if at:
            diary(chosen=store[at][0])

    def forget(self, _):
        """Which rows are chosen."""
        self.rows.unselect_all()
        self.view.get_selection().unselect_all()

    def give(self, view, _, data, *__):
        store, at = view.get_selection().get_selected()
        data.set(data.get_target(), 8, store[at][0].encode())

    def take(self, view, _, x, y, data, *__):
        path, _ = view.get_dest_row_at_pos(x, y)
        diary(dropped=data.get_data().decode(), onto=view.get_model()[path][0])


if __name__ == "__main__":
    window = Main()
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), {"forget": window.forget}, Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
