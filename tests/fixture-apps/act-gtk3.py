#!/usr/bin/python3
"""Everything in GTK3 that can be acted on, with a diary of what happened: see act_scene.py."""
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

import act_scene  # noqa: E402
from act_gtk import GtkScene  # noqa: E402
from scene import diary, plain  # noqa: E402


class Main(GtkScene):
    def parts(self):
        return (
            self.menus(), self.buttons(), self.choices(), self.form(), self.hands(), self.pages(), self.list(),
            self.tree(), self.far(),
        )

    def window_made(self):
        self.window.connect("destroy", lambda _: (diary(closed=True), Gtk.main_quit()))
        self.window.connect("key-press-event", self.key)

    def show(self, column):
        if self.window.get_child():
            self.window.get_child().destroy()
        self.window.add(column)
        self.window.show_all()
        self.pad.add_events(Gdk.EventMask.ENTER_NOTIFY_MASK | Gdk.EventMask.POINTER_MOTION_MASK)
        self.pad.connect("enter-notify-event", lambda _, e: self.pointer.came((e.x, e.y)) and False)
        # Else motions of one frame come as one.
        self.pad.get_window().set_event_compression(False)

    def key(self, _, event):
        if event.keyval == Gdk.KEY_s and event.state & Gdk.ModifierType.CONTROL_MASK:
            diary(shortcut="ctrl+s")
        return False

    def put(self, box, widget):
        if isinstance(box, Gtk.Box):
            box.pack_start(widget, False, False, 0)
        else:
            box.add(widget)

    def fill(self, holder, widget):
        holder.add(widget)

    def named(self, widget, name):
        widget.get_accessible().set_name(name)
        return widget

    def radios(self, first, second):
        one = Gtk.RadioButton(label=first)
        return one, Gtk.RadioButton.new_with_label_from_widget(one, second)

    def password(self, text):
        return Gtk.Entry(text=text, width_chars=6, visibility=False)

    def remove(self, widget):
        widget.destroy()

    def menus(self):
        bar, menu = Gtk.MenuBar(), Gtk.Menu()
        file = Gtk.MenuItem(label="File")
        file.set_submenu(menu)
        bar.add(file)
        new = Gtk.MenuItem(label="New")
        new.connect("activate", lambda _: diary(clicked="New"))
        grid = Gtk.CheckMenuItem(label="Grid")
        grid.connect("toggled", lambda w: diary(toggled="Grid", on=w.get_active()))
        small = Gtk.RadioMenuItem(label="Small")
        large = Gtk.RadioMenuItem.new_with_label_from_widget(small, "Large")
        large.connect("toggled", lambda w: diary(toggled="Large", on=w.get_active()))
        ask = Gtk.MenuItem(label="Question\u2026")
        ask.connect("activate", lambda _: self.ask())
        for item in (new, grid, small, large, ask):
            menu.add(item)
        return bar

    def tree(self):
        store = Gtk.TreeStore(str)
        for name in ("Fruit", "Trees"):
            top = store.append(None, [name])
            store.append(top, [name + " inside"])
        view = self.named(Gtk.TreeView(model=store), "Kinds")
        view.append_column(Gtk.TreeViewColumn("Kind", Gtk.CellRendererText(), text=0))
        view.get_selection().connect("changed", self.kind_selected)
        view.connect("row-expanded", lambda _, at, __: diary(expanded=store[at][0], on=True))
        view.connect("row-collapsed", lambda _, at, __: diary(expanded=store[at][0], on=False))
        view.connect("row-activated", lambda _, path, __: diary(activated=store[path][0]))
        return view

    def kind_selected(self, selection):
        model, at = selection.get_selected()
        if at:
            diary(selected=model[at][0])

    CLICK = Gtk.GestureMultiPress
    PAD = {}

    def controller(self, kind, **properties):
        made = kind(widget=self.pad, **properties)
        self.widgets[kind.__name__] = made  # Nothing else holds a reference to it.
        return made

    def state_of(self, _):
        return Gtk.get_current_event_state()[1]

    def pad_menu(self, *_):
        menu = Gtk.Menu()
        clear = Gtk.MenuItem(label="Clear")
        clear.connect("activate", lambda _: diary(clicked="Clear"))
        menu.add(clear)
        menu.show_all()
        menu.attach_to_widget(self.pad)
        menu.popup_at_pointer(Gtk.get_current_event())

    def goods(self):
        parcel, shelf = Gtk.EventBox(), Gtk.EventBox()
        kind = [Gtk.TargetEntry.new("text/plain", Gtk.TargetFlags.SAME_APP, 0)]
        for box, name in ((parcel, "Parcel"), (shelf, "Shelf")):
            box.add(Gtk.Label(label=name, width_chars=12))
        parcel.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, kind, Gdk.DragAction.COPY)
        parcel.connect("drag-data-get", lambda _, __, data, *___: data.set(data.get_target(), 8, b"Parcel"))
        shelf.drag_dest_set(Gtk.DestDefaults.ALL, kind, Gdk.DragAction.COPY)
        shelf.connect("drag-data-received", lambda _, c, x, y, data, *__: diary(dropped=data.get_data().decode(), onto="Shelf"))
        return parcel, shelf

    def ask(self):
        """A loop of its own: what called us gets no answer until the dialog is closed."""
        dialog = self.question()
        self.answered(dialog.run())
        dialog.destroy()

    def clipboard_commands(self):
        clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
        return {
            "copy": lambda a: clipboard.set_text(plain(a), -1),
            "copy-many": lambda a: clipboard.set_text(act_scene.long_text(int(a)), -1),
            "paste": lambda _: clipboard.request_text(lambda _, text: diary(pasted=act_scene.summary(text))),
        }


if __name__ == "__main__":
    Main().run(Gtk.main, Gtk.main_quit)
