#!/usr/bin/python3
"""Everything in GTK3 that can be acted on by its accessible actions, with a diary of what happened: see act_scene.py."""
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

import act_scene  # noqa: E402
from scene import diary, listen, plain  # noqa: E402


def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=act_scene.TITLE, default_width=620, default_height=640)
        self.window.connect("destroy", lambda _: (diary(closed=True), Gtk.main_quit()))
        self.widgets = {}
        self.clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
        for part in (self.menus(), self.buttons(), self.choices(), self.form(), self.pages(), self.list(), self.tree(), self.far()):
            column.pack_start(part, False, False, 0)
        self.window.add(column)
        self.window.show_all()

    def keep(self, name, widget):
        self.widgets[name] = widget
        return widget

    def button(self, name, then=None):
        button = self.keep(name, Gtk.Button(label=name))
        button.connect("clicked", lambda _: (diary(clicked=name), then and then()))
        return button

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

    def buttons(self):
        row = Gtk.Box(spacing=4)
        row.add(self.button("Save"))
        delete = self.button("Delete")
        delete.set_sensitive(False)
        row.add(delete)
        row.add(self.button("Ask\u2026", self.ask))
        bold = self.keep("Bold", Gtk.ToggleButton(label="Bold"))
        bold.connect("toggled", lambda w: diary(toggled="Bold", on=w.get_active()))
        row.add(bold)
        power = self.keep("Power", named(Gtk.Switch(), "Power"))
        power.connect("notify::active", lambda w, _: diary(toggled="Power", on=w.get_active()))
        row.add(power)
        link = Gtk.LinkButton.new_with_label("about:blank", "Help page")
        link.connect("activate-link", lambda _: diary(clicked="Help page") or True)
        row.add(link)
        row.add(Gtk.Label(label="Plain words"))
        return row

    def choices(self):
        row = Gtk.Box(spacing=4)
        left = Gtk.RadioButton(label="Left")
        right = Gtk.RadioButton.new_with_label_from_widget(left, "Right")
        locked = Gtk.CheckButton(label="Locked", sensitive=False)
        for name, widget in (("Wrap", Gtk.CheckButton(label="Wrap")), ("Left", left), ("Right", right), ("Locked", locked)):
            widget.connect("toggled", lambda w, n=name: diary(toggled=n, on=w.get_active()))
            row.add(self.keep(name, widget))
        more = Gtk.Expander(label="More")
        more.add(Gtk.Label(label="Inside"))
        more.connect("notify::expanded", lambda w, _: diary(expanded="More", on=w.get_expanded()))
        row.add(more)
        return row

    def form(self):
        row = Gtk.Box(spacing=4)
        fields = (
            ("Name", Gtk.Entry(text="Ada", width_chars=10)),
            ("Fixed", Gtk.Entry(text="fixed", width_chars=6, sensitive=False)),
            ("Shown", Gtk.Entry(text="shown", width_chars=6, editable=False)),
            ("Secret", Gtk.Entry(text="old", width_chars=6, visibility=False)),
        )
        for name, entry in fields:
            entry.connect("changed", lambda w, n=name: act_scene.changed(n, w.get_text()))
            entry.connect("activate", lambda _, n=name: diary(entered=n))
            row.add(self.keep(name, named(entry, name)))
        age = self.keep("Age", named(Gtk.SpinButton.new_with_range(0, 130, 5), "Age"))
        age.set_value(35)
        volume = self.keep("Volume", named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "Volume"))
        volume.set_value(25)
        volume.set_size_request(80, -1)
        for name, widget in (("Age", age), ("Volume", volume)):
            widget.connect("value-changed", lambda w, n=name: diary(value=n, **{"is": w.get_value()}))
            row.add(widget)
        colour = self.keep("Colour", named(Gtk.ComboBoxText(), "Colour"))
        for word in ("Red", "Green", "Blue"):
            colour.append_text(word)
        colour.set_active(0)
        colour.connect("changed", lambda w: diary(selected=w.get_active_text()))
        row.add(colour)
        return row

    def pages(self):
        book = Gtk.Notebook()
        for name in ("General", "Details"):
            view = named(Gtk.TextView(), "Notes " + name)
            view.get_buffer().set_text("one two")
            view.get_buffer().connect("changed", lambda b, n=name: diary(text="Notes " + n, value=b.props.text))
            self.keep("Notes " + name, view)
            book.append_page(view, Gtk.Label(label=name))
        book.connect("switch-page", lambda b, page, n: diary(selected=b.get_tab_label_text(page)))
        return book

    def list(self):
        self.items = named(Gtk.ListBox(), "Items")
        for n in range(1, 5):
            self.items.add(Gtk.Label(label="Item %d" % n))
        self.items.connect("row-selected", lambda _, r: r and diary(selected="Item %d" % (r.get_index() + 1)))
        self.items.connect("row-activated", lambda _, r: diary(activated="Item %d" % (r.get_index() + 1)))
        return self.items

    def tree(self):
        store = Gtk.TreeStore(str)
        for name in ("Fruit", "Trees"):
            top = store.append(None, [name])
            store.append(top, [name + " inside"])
        view = named(Gtk.TreeView(model=store), "Kinds")
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

    def far(self):
        inside = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for n in range(1, 41):
            inside.add(self.button("Far %d" % n))
        pane = Gtk.ScrolledWindow(min_content_height=70, overlay_scrolling=False)
        pane.add(inside)
        pane.get_vadjustment().connect("value-changed", lambda a: diary(scrolled=a.get_value()))
        return pane

    def ask(self):
        """A loop of its own: what called us gets no answer until the dialog is closed."""
        dialog = Gtk.MessageDialog(transient_for=self.window, modal=True, buttons=Gtk.ButtonsType.YES_NO, text="Go on?")
        dialog.set_title(act_scene.DIALOG)
        answer = dialog.run()
        diary(dialog=act_scene.DIALOG, answer={Gtk.ResponseType.YES: "Yes", Gtk.ResponseType.NO: "No"}.get(answer, "closed"))
        dialog.destroy()

    def commands(self):
        return {
            "copy": lambda a: (self.clipboard.set_text(plain(a), -1)),
            "copy-many": lambda a: self.clipboard.set_text(act_scene.long_text(int(a)), -1),
            "paste": lambda _: self.clipboard.request_text(lambda _, text: diary(pasted=act_scene.told(text))),
            "enable": lambda a: self.widgets[a].set_sensitive(True),
            "disable": lambda a: self.widgets[a].set_sensitive(False),
            "remove": lambda a: self.widgets.pop(a).destroy(),
            "caret": self.caret,
            "sleep": lambda a: act_scene.sleep(a),
        }

    def caret(self, argument):
        name, start, end = argument.split()
        self.widgets[name].select_region(int(start), int(end))


if __name__ == "__main__":
    commands = Main().commands()
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), commands, Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
