#!/usr/bin/python3
"""Everything in GTK4 that can be acted on by its accessible actions, with a diary of what happened: see act_scene.py."""
import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, GLib, Gtk  # noqa: E402

import act_scene  # noqa: E402
from scene import diary, listen, plain  # noqa: E402

loop = GLib.MainLoop()


def named(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=act_scene.TITLE, default_width=620, default_height=640)
        self.window.connect("close-request", lambda _: (diary(closed=True), loop.quit()) and False)
        self.widgets = {}
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
        for part in (self.buttons(), self.choices(), self.form(), self.pages(), self.list(), self.far()):
            column.append(part)
        self.window.set_child(column)
        self.window.present()

    def keep(self, name, widget):
        self.widgets[name] = widget
        return widget

    def button(self, name, then=None):
        button = self.keep(name, Gtk.Button(label=name))
        button.connect("clicked", lambda _: (diary(clicked=name), then and then()))
        return button

    def buttons(self):
        row = Gtk.Box(spacing=4)
        row.append(self.button("Save"))
        delete = self.button("Delete")
        delete.set_sensitive(False)
        row.append(delete)
        row.append(self.button("Ask\u2026", self.ask))
        bold = self.keep("Bold", Gtk.ToggleButton(label="Bold"))
        bold.connect("toggled", lambda w: diary(toggled="Bold", on=w.get_active()))
        row.append(bold)
        power = self.keep("Power", named(Gtk.Switch(), "Power"))
        power.connect("notify::active", lambda w, _: diary(toggled="Power", on=w.get_active()))
        row.append(power)
        link = Gtk.LinkButton.new_with_label("about:blank", "Help page")
        link.connect("activate-link", lambda _: diary(clicked="Help page") or True)
        row.append(link)
        row.append(Gtk.Label(label="Plain words"))
        menu = Gio.Menu()
        menu.append("New", "win.new")
        group = Gio.SimpleActionGroup()
        new = Gio.SimpleAction.new("new", None)
        new.connect("activate", lambda *_: diary(clicked="New"))
        group.add_action(new)
        self.window.insert_action_group("win", group)
        row.append(Gtk.MenuButton(label="File", menu_model=menu))
        return row

    def choices(self):
        row = Gtk.Box(spacing=4)
        left = Gtk.CheckButton(label="Left", active=True)
        right = Gtk.CheckButton(label="Right", group=left)
        locked = Gtk.CheckButton(label="Locked", sensitive=False)
        for name, widget in (("Wrap", Gtk.CheckButton(label="Wrap")), ("Left", left), ("Right", right), ("Locked", locked)):
            widget.connect("toggled", lambda w, n=name: diary(toggled=n, on=w.get_active()))
            row.append(self.keep(name, widget))
        more = Gtk.Expander(label="More")
        more.set_child(Gtk.Label(label="Inside"))
        more.connect("notify::expanded", lambda w, _: diary(expanded="More", on=w.get_expanded()))
        row.append(more)
        return row

    def form(self):
        row = Gtk.Box(spacing=4)
        fields = (
            ("Name", Gtk.Entry(text="Ada", width_chars=10)),
            ("Fixed", Gtk.Entry(text="fixed", width_chars=6, sensitive=False)),
            ("Shown", Gtk.Entry(text="shown", width_chars=6, editable=False)),
            ("Secret", Gtk.PasswordEntry(text="old", width_chars=6)),
        )
        for name, entry in fields:
            entry.connect("changed", lambda w, n=name: act_scene.changed(n, w.get_text()))
            entry.connect("activate", lambda _, n=name: diary(entered=n))
            row.append(self.keep(name, named(entry, name)))
        age = self.keep("Age", named(Gtk.SpinButton.new_with_range(0, 130, 5), "Age"))
        age.set_value(35)
        volume = self.keep("Volume", named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "Volume"))
        volume.set_value(25)
        volume.set_size_request(80, -1)
        for name, widget in (("Age", age), ("Volume", volume)):
            widget.connect("value-changed", lambda w, n=name: diary(value=n, **{"is": w.get_value()}))
            row.append(widget)
        colour = self.keep("Colour", named(Gtk.ComboBoxText(), "Colour"))
        for word in ("Red", "Green", "Blue"):
            colour.append_text(word)
        colour.set_active(0)
        colour.connect("changed", lambda w: diary(selected=w.get_active_text()))
        row.append(colour)
        down = self.keep("Size", named(Gtk.DropDown.new_from_strings(["Small", "Large"]), "Size"))
        down.connect("notify::selected", lambda w, _: diary(selected=w.get_selected_item().get_string()))
        row.append(down)
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
            self.items.append(Gtk.Label(label="Item %d" % n))
        self.items.connect("row-selected", lambda _, r: r and diary(selected="Item %d" % (r.get_index() + 1)))
        self.items.connect("row-activated", lambda _, r: diary(activated="Item %d" % (r.get_index() + 1)))
        return self.items

    def far(self):
        inside = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for n in range(1, 41):
            inside.append(self.button("Far %d" % n))
        pane = Gtk.ScrolledWindow(min_content_height=70, overlay_scrolling=False)
        pane.set_child(inside)
        pane.get_vadjustment().connect("value-changed", lambda a: diary(scrolled=a.get_value()))
        return pane

    def ask(self):
        """GTK4 has no dialogs that run a loop of their own; this one does it by hand."""
        dialog = Gtk.MessageDialog(transient_for=self.window, modal=True, buttons=Gtk.ButtonsType.YES_NO, text="Go on?")
        dialog.set_title(act_scene.DIALOG)
        inner = GLib.MainLoop()
        words = {Gtk.ResponseType.YES: "Yes", Gtk.ResponseType.NO: "No"}
        dialog.connect("response", lambda d, answer: (diary(dialog=act_scene.DIALOG, answer=words.get(answer, "closed")), inner.quit()))
        dialog.present()
        inner.run()
        dialog.destroy()

    def pasted(self, clipboard, result):
        diary(pasted=act_scene.told(clipboard.read_text_finish(result)))

    def commands(self):
        clipboard = Gdk.Display.get_default().get_clipboard()
        return {
            "copy": lambda a: clipboard.set(plain(a)),
            "copy-many": lambda a: clipboard.set(act_scene.long_text(int(a))),
            "paste": lambda _: clipboard.read_text_async(None, self.pasted),
            "enable": lambda a: self.widgets[a].set_sensitive(True),
            "disable": lambda a: self.widgets[a].set_sensitive(False),
            "remove": lambda a: self.remove(self.widgets.pop(a)),
            "caret": self.caret,
            "sleep": lambda a: act_scene.sleep(a),
        }

    def remove(self, widget):
        widget.get_parent().remove(widget)

    def caret(self, argument):
        name, start, end = argument.split()
        self.widgets[name].select_region(int(start), int(end))


if __name__ == "__main__":
    Gtk.init()
    commands = Main().commands()
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), commands, loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
