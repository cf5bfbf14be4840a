#!/usr/bin/python3
"""Everything in GTK4 that can be acted on, with a diary of what happened: see act_scene.py."""
import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk  # noqa: E402

import act_scene  # noqa: E402
from act_gtk import GtkScene  # noqa: E402
from scene import diary, plain  # noqa: E402

loop = GLib.MainLoop()


class Main(GtkScene):
    def parts(self):
        return (self.menus(), self.buttons(), self.choices(), self.form(), self.hands(), self.pages(), self.list(), self.far())

    def window_made(self):
        self.window.connect("close-request", lambda _: (diary(closed=True), loop.quit()) and False)
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", self.key)
        self.window.add_controller(keys)

    def show(self, column):
        self.window.set_child(column)
        if not self.window.get_visible():
            self.window.present()

    def key(self, _, keyval, __, state):
        if keyval == Gdk.KEY_s and state & Gdk.ModifierType.CONTROL_MASK:
            diary(shortcut="ctrl+s")
        return False

    def put(self, box, widget):
        box.append(widget)

    def fill(self, holder, widget):
        holder.set_child(widget)

    def named(self, widget, name):
        widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
        return widget

    def radios(self, first, second):
        one = Gtk.CheckButton(label=first, active=True)
        return one, Gtk.CheckButton(label=second, group=one)

    def password(self, text):
        return Gtk.PasswordEntry(text=text, width_chars=6)

    def remove(self, widget):
        widget.get_parent().remove(widget)

    def menus(self):
        menu, group = Gio.Menu(), Gio.SimpleActionGroup()
        new = Gio.SimpleAction.new("new", None)
        new.connect("activate", lambda *_: diary(clicked="New"))
        grid = Gio.SimpleAction.new_stateful("grid", None, GLib.Variant("b", False))
        grid.connect("change-state", lambda a, v: (a.set_state(v), diary(toggled="Grid", on=v.get_boolean())))
        ask = Gio.SimpleAction.new("ask", None)
        ask.connect("activate", lambda *_: self.ask())
        for label, action in (("New", new), ("Grid", grid), ("Question\u2026", ask)):
            group.add_action(action)
            menu.append(label, "win." + action.get_name())
        self.window.insert_action_group("win", group)
        return self.row(Gtk.MenuButton(label="File", menu_model=menu))

    def form(self):
        row = super().form()
        down = self.keep("Size", self.named(Gtk.DropDown.new_from_strings(["Small", "Large"]), "Size"))
        down.connect("notify::selected", lambda w, _: diary(selected=w.get_selected_item().get_string()))
        row.append(down)
        return row

    CLICK = Gtk.GestureClick
    PAD = {"accessible_role": Gtk.AccessibleRole.IMG}  # Without a role it is not exposed.

    def controller(self, kind, **properties):
        made = kind(**properties)
        if kind is Gtk.EventControllerMotion:
            made.connect("enter", lambda _, x, y: self.pointer.came((x, y)))
        self.pad.add_controller(made)
        return made

    def state_of(self, click):
        return click.get_current_event_state()

    def pad_menu(self, x, y):
        model, group = Gio.Menu(), Gio.SimpleActionGroup()
        model.append("Clear", "pad.clear")
        clear = Gio.SimpleAction.new("clear", None)
        clear.connect("activate", lambda *_: diary(clicked="Clear"))
        group.add_action(clear)
        self.pad.insert_action_group("pad", group)
        menu = Gtk.PopoverMenu.new_from_model(model)
        menu.set_parent(self.pad)
        at = Gdk.Rectangle()
        at.x, at.y, at.width, at.height = round(x), round(y), 1, 1
        menu.set_pointing_to(at)
        menu.connect("closed", lambda m: GLib.idle_add(lambda: m.unparent() and False))
        menu.popup()

    def goods(self):
        parcel, shelf = (Gtk.Label(label=name, width_chars=12) for name in ("Parcel", "Shelf"))
        source = Gtk.DragSource(content=Gdk.ContentProvider.new_for_value("Parcel"))
        parcel.add_controller(source)
        target = Gtk.DropTarget.new(GObject.TYPE_STRING, Gdk.DragAction.COPY)
        target.connect("drop", lambda _, value, x, y: diary(dropped=value, onto="Shelf") or True)
        shelf.add_controller(target)
        return parcel, shelf

    def ask(self):
        """GTK4 has no dialogs that run a loop of their own; this one does it by hand."""
        dialog, inner = self.question(), GLib.MainLoop()
        dialog.connect("response", lambda _, answer: (self.answered(answer), inner.quit()))
        dialog.present()
        inner.run()
        dialog.destroy()

    def pasted(self, clipboard, result):
        diary(pasted=act_scene.summary(clipboard.read_text_finish(result)))

    def clipboard_commands(self):
        clipboard = Gdk.Display.get_default().get_clipboard()
        return {
            "copy": lambda a: clipboard.set(plain(a)),
            "copy-many": lambda a: clipboard.set(act_scene.long_text(int(a))),
            "paste": lambda _: clipboard.read_text_async(None, self.pasted),
        }


if __name__ == "__main__":
    Gtk.init()
    Main().run(loop.run, loop.quit)
