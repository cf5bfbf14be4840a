#!/usr/bin/python3
"""The standard scene in GTK4, with a ListView that recycles its rows. Commands and diary: see scene.ts."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, GObject, Gtk  # noqa: E402

import scene  # noqa: E402
from scene import diary, plain  # noqa: E402

loop = GLib.MainLoop()


class Row(GObject.Object):
    def __init__(self, *cells):
        super().__init__()
        self.cells = cells


def named(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


def labelled(grid, row, text, widget):
    label = Gtk.Label(label=text, xalign=0)
    label.set_mnemonic_widget(widget)
    named(widget, text)
    grid.attach(label, 0, row, 1, 1)
    grid.attach(widget, 1, row, 1, 1)
    return widget


def scrolled(child, height):
    pane = Gtk.ScrolledWindow(min_content_height=height, max_content_height=height, overlay_scrolling=False)
    pane.set_child(child)
    return pane


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=scene.MAIN, default_width=520, default_height=660)
        self.window.connect("close-request", self.quit)
        self.widgets = {}
        self.dialog = None
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
        for part in (self.buttons(), self.choices(), self.form(), self.label(), self.notes(), self.items(), self.orders()):
            column.append(part)
        self.box = Gtk.Box(spacing=4)
        column.append(self.box)
        column.append(Gtk.Label(label=scene.HIDDEN, visible=False))
        self.window.set_child(column)
        self.window.present()

    def button(self, name, clicked=None):
        button = Gtk.Button(label=name)
        button.connect("clicked", lambda _: (diary(clicked=name), clicked and clicked()))
        self.widgets[name] = button
        return button

    def buttons(self):
        row = Gtk.Box(spacing=4)
        row.append(self.button("Save"))
        delete = self.button("Delete")
        delete.set_sensitive(False)
        row.append(delete)
        row.append(self.button("Ask\u2026", lambda: self.open_dialog("")))
        return row

    def choices(self):
        row = Gtk.Box(spacing=4)
        wrap = Gtk.CheckButton(label="Wrap", active=True)
        left = Gtk.CheckButton(label="Left", active=True)
        right = Gtk.CheckButton(label="Right", group=left)
        for name, widget in (("Wrap", wrap), ("Left", left), ("Right", right)):
            widget.connect("toggled", lambda w, n=name: diary(toggled=n, on=w.get_active()))
            self.widgets[name] = widget
            row.append(widget)
        return row

    def form(self):
        grid = Gtk.Grid(column_spacing=6, row_spacing=4)
        name = labelled(grid, 0, "Name", Gtk.Entry(text="Ada"))
        password = labelled(grid, 1, "Password", Gtk.PasswordEntry())
        password.set_text(scene.CANARY)
        age = labelled(grid, 2, "Age", Gtk.SpinButton.new_with_range(0, 130, 1))
        age.set_value(36)
        volume = labelled(grid, 3, "Volume", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1))
        volume.set_value(25)
        volume.set_hexpand(True)
        colour = labelled(grid, 4, "Colour", Gtk.ComboBoxText())
        for word in ("Red", "Green", "Blue"):
            colour.append_text(word)
        colour.set_active(0)
        name.connect("changed", lambda w: diary(text="Name", value=w.get_text()))
        password.connect("changed", lambda w: diary(text="Password", length=len(w.get_text())))
        age.connect("value-changed", lambda w: diary(value="Age", **{"is": w.get_value()}))
        volume.connect("value-changed", lambda w: diary(value="Volume", **{"is": w.get_value()}))
        colour.connect("changed", lambda w: diary(selected=w.get_active_text()))
        self.widgets.update(Name=name, Password=password, Age=age, Volume=volume, Colour=colour)
        return grid

    def label(self):
        self.said = Gtk.Label(label=scene.LABEL, xalign=0, ellipsize=3, max_width_chars=40)
        return self.said

    def notes(self):
        view = named(Gtk.TextView(), "Notes")
        view.get_buffer().set_text(scene.NOTES)
        view.get_buffer().connect("changed", lambda b: diary(text="Notes", value=b.props.text))
        self.widgets["Notes"] = view
        return scrolled(view, 56)

    def items(self):
        store = Gio.ListStore(item_type=Row)
        for n in range(1, scene.ITEMS + 1):
            store.append(Row(n))
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", self.item_setup)
        factory.connect("bind", self.item_bind)
        selection = Gtk.SingleSelection(model=store, autoselect=False)
        selection.connect("notify::selected", lambda s, _: diary(selected="Item %d" % (s.get_selected() + 1)))
        self.list = named(Gtk.ListView(model=selection, factory=factory), "Items")
        self.list_pane = scrolled(self.list, 150)
        return self.list_pane

    def item_setup(self, _, item):
        row = Gtk.Box(spacing=6)
        row.append(Gtk.Label(xalign=0, hexpand=True))
        remove = Gtk.Button(label="Remove")
        remove.connect("clicked", lambda _: diary(removed=item.get_item().cells[0]))
        row.append(remove)
        item.set_child(row)

    def item_bind(self, _, item):
        item.get_child().get_first_child().set_text("Item %d" % item.get_item().cells[0])

    def orders(self):
        store = Gtk.ListStore(str, str, str)
        for n in range(1, scene.ROWS + 1):
            store.append(scene.order(n))
        view = named(Gtk.TreeView(model=store), "Orders")
        for i, title in enumerate(scene.HEADERS):
            view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=i))
        self.widgets["Orders"] = view
        return scrolled(view, 120)

    def open_dialog(self, _):
        self.dialog = Gtk.Dialog(title=scene.DIALOG, transient_for=self.window, modal=True)
        self.dialog.add_button("Yes", Gtk.ResponseType.YES)
        self.dialog.add_button("No", Gtk.ResponseType.NO)
        self.dialog.get_content_area().append(Gtk.Label(label="Go on?"))
        self.dialog.connect("response", self.answered)
        self.dialog.present()

    def answered(self, dialog, answer):
        words = {Gtk.ResponseType.YES: "Yes", Gtk.ResponseType.NO: "No"}
        diary(dialog=scene.DIALOG, answer=words.get(answer, "closed"))
        dialog.destroy()

    def close_dialog(self, _):
        self.dialog.destroy()

    def add_child(self, name):
        self.box.append(self.button(name))

    def remove_child(self, name):
        self.box.remove(self.widgets.pop(name))

    def scroll_list(self, n):
        bar = self.list_pane.get_vadjustment()
        bar.set_value((int(n) - 1) * bar.get_upper() / scene.ITEMS)

    def set_text(self, argument):
        name, _, text = argument.partition(" ")
        widget = self.widgets[name]
        (widget.get_buffer() if name == "Notes" else widget).set_text(plain(text))

    def quit(self, _=None):
        diary(closed=True)
        loop.quit()

    def commands(self):
        return {
            "set-label": lambda a: self.said.set_text(plain(a)),
            "set-text": self.set_text,
            "check": lambda a: self.widgets["Wrap"].set_active(a != "off"),
            "add-child": self.add_child,
            "remove-child": self.remove_child,
            "scroll-list": self.scroll_list,
            "focus": lambda a: self.widgets[a].grab_focus(),
            "open-dialog": self.open_dialog,
            "close-dialog": self.close_dialog,
            "title": lambda a: self.window.set_title(plain(a)),
            "hide": lambda a: self.widgets[a].set_visible(False),
            "show": lambda a: self.widgets[a].set_visible(True),
            "quit": lambda _: self.window.close(),
        }


def bystander():
    window = Gtk.Window(title=scene.BYSTANDER, default_width=240, default_height=120)
    hello = Gtk.Button(label="Hello")
    hello.connect("clicked", lambda _: diary(clicked="Hello"))
    window.set_child(hello)
    window.connect("close-request", lambda _: loop.quit())
    window.present()
    return {"quit": lambda _: window.close()}


def in_loop(perform, line):
    GLib.idle_add(lambda: perform(line) and False)


if __name__ == "__main__":
    Gtk.init()
    commands = bystander() if scene.is_bystander() else Main().commands()
    scene.listen(in_loop, commands, loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
