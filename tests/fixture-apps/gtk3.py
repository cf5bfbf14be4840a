#!/usr/bin/python3
"""The standard scene in GTK3. Commands on standard input, diary on standard output: see scene.ts."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

import scene  # noqa: E402
from scene import diary, plain  # noqa: E402


def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget


def labelled(grid, row, text, widget):
    label = Gtk.Label(label=text, xalign=0)
    label.set_mnemonic_widget(widget)
    grid.attach(label, 0, row, 1, 1)
    grid.attach(widget, 1, row, 1, 1)
    return widget


def scrolled(child, height):
    pane = Gtk.ScrolledWindow(min_content_height=height, max_content_height=height, overlay_scrolling=False)
    pane.add(child)
    return pane


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=scene.MAIN, default_width=520, default_height=660)
        self.window.connect("destroy", self.quit)
        self.widgets = {}
        self.dialog = None
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4, margin=6)
        for part in (self.buttons(), self.choices(), self.form(), self.label(), self.notes(), self.items(), self.orders()):
            column.pack_start(part, False, False, 0)
        self.box = Gtk.Box(spacing=4)
        column.pack_start(self.box, False, False, 0)
        hidden = Gtk.Label(label=scene.HIDDEN, no_show_all=True)
        column.pack_start(hidden, False, False, 0)
        self.window.add(column)
        self.window.show_all()

    def button(self, name, clicked=None):
        button = Gtk.Button(label=name)
        button.connect("clicked", lambda _: (diary(clicked=name), clicked and clicked()))
        self.widgets[name] = button
        return button

    def buttons(self):
        row = Gtk.Box(spacing=4)
        row.add(self.button("Save"))
        delete = self.button("Delete")
        delete.set_sensitive(False)
        row.add(delete)
        row.add(self.button("Ask\u2026", lambda: self.open_dialog("")))
        return row

    def choices(self):
        row = Gtk.Box(spacing=4)
        wrap = Gtk.CheckButton(label="Wrap", active=True)
        left = Gtk.RadioButton(label="Left")
        right = Gtk.RadioButton.new_with_label_from_widget(left, "Right")
        for name, widget in (("Wrap", wrap), ("Left", left), ("Right", right)):
            widget.connect("toggled", lambda w, n=name: diary(toggled=n, on=w.get_active()))
            self.widgets[name] = widget
            row.add(widget)
        return row

    def form(self):
        grid = Gtk.Grid(column_spacing=6, row_spacing=4)
        name = labelled(grid, 0, "Name", Gtk.Entry(text="Ada"))
        password = labelled(grid, 1, "Password", Gtk.Entry(text=scene.CANARY, visibility=False))
        password.set_input_purpose(Gtk.InputPurpose.PASSWORD)
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
        self.list = named(Gtk.ListBox(), "Items")
        for n in range(1, scene.ITEMS + 1):
            row = Gtk.Box(spacing=6)
            row.pack_start(Gtk.Label(label="Item %d" % n), False, False, 0)
            remove = Gtk.Button(label="Remove")
            remove.connect("clicked", lambda _, k=n: diary(removed=k))
            row.pack_end(remove, False, False, 0)
            self.list.add(row)
        self.list.connect("row-selected", lambda _, r: r and diary(selected="Item %d" % (r.get_index() + 1)))
        self.list_pane = scrolled(self.list, 150)
        return self.list_pane

    def orders(self):
        store = Gtk.ListStore(str, str, str)
        for n in range(1, scene.ROWS + 1):
            store.append(scene.order(n))
        view = named(Gtk.TreeView(model=store), "Orders")
        for i, title in enumerate(scene.HEADERS):
            view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=i))
        view.get_selection().connect("changed", self.order_selected)
        self.widgets["Orders"] = view
        return scrolled(view, 120)

    def order_selected(self, selection):
        model, at = selection.get_selected()
        if at:
            diary(selected=model[at][0])

    def open_dialog(self, _):
        self.dialog = Gtk.Dialog(title=scene.DIALOG, transient_for=self.window, modal=True)
        self.dialog.add_buttons("Yes", Gtk.ResponseType.YES, "No", Gtk.ResponseType.NO)
        self.dialog.get_content_area().add(Gtk.Label(label="Go on?"))
        self.dialog.connect("response", self.answered)
        self.dialog.show_all()

    def answered(self, dialog, answer):
        words = {Gtk.ResponseType.YES: "Yes", Gtk.ResponseType.NO: "No"}
        diary(dialog=scene.DIALOG, answer=words.get(answer, "closed"))
        dialog.destroy()

    def close_dialog(self, _):
        self.dialog.destroy()

    def add_child(self, name):
        self.box.add(self.button(name))
        self.box.show_all()

    def remove_child(self, name):
        self.widgets.pop(name).destroy()

    def scroll_list(self, n):
        row = self.list.get_row_at_index(int(n) - 1)
        self.list_pane.get_vadjustment().set_value(row.get_allocation().y)

    def set_text(self, argument):
        name, _, text = argument.partition(" ")
        widget = self.widgets[name]
        (widget.get_buffer() if name == "Notes" else widget).set_text(plain(text))

    def quit(self, _=None):
        diary(closed=True)
        Gtk.main_quit()

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
            "hide": lambda a: self.widgets[a].hide(),
            "show": lambda a: self.widgets[a].show(),
            "quit": lambda _: self.window.destroy(),
        }


def bystander():
    window = Gtk.Window(title=scene.BYSTANDER, default_width=240, default_height=120)
    hello = Gtk.Button(label="Hello")
    hello.connect("clicked", lambda _: diary(clicked="Hello"))
    window.add(hello)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    return {"quit": lambda _: window.destroy()}


def in_loop(perform, line):
    GLib.idle_add(lambda: perform(line) and False)


if __name__ == "__main__":
    commands = bystander() if scene.is_bystander() else Main().commands()
    scene.listen(in_loop, commands, Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
