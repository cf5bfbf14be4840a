#!/usr/bin/python3
"""An app in GTK4 that does not keep still, with a list that recycles its rows: see liar_scene.py."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, GObject, Gtk  # noqa: E402

import liar_scene  # noqa: E402
from scene import diary, listen  # noqa: E402

loop = GLib.MainLoop()


def named(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


class Item(GObject.Object):
    def __init__(self, n):
        super().__init__()
        self.n = n


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=liar_scene.TITLE, default_width=560, default_height=640)
        self.window.connect("close-request", lambda _: (diary(closed=liar_scene.TITLE), loop.quit()) and False)
        self.widgets, self.lives, self.running, self.second = {}, 0, None, None
        self.changing = False
        self.sorting = False
        self.on_press = self.on_release = None
        self.bound = {}
        first = Gtk.GestureClick(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        first.connect("pressed", lambda *_: self.pressed())
        self.window.add_controller(first)
        self.actions()
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
        for part in (self.buttons(), self.track(), self.fields(), self.choices(), self.list()):
            column.append(part)
        self.window.set_child(column)
        self.window.present()
        self.cover(False)

    def actions(self):
        group = Gio.SimpleActionGroup()
        for name in ("Three", "Four"):
            action = Gio.SimpleAction.new(name.lower(), None)
            action.connect("activate", lambda *_, n=name: diary(chosen=n))
            group.add_action(action)
        self.window.insert_action_group("win", group)

    def button(self, name, then=None, **facts):
        button = self.widgets[name] = Gtk.Button(label=name)
        button.connect("clicked", lambda w: (diary(clicked=w.get_label(), **facts), then and then()))
        return button

    def buttons(self):
        row = Gtk.Box(spacing=4)
        overlay = Gtk.Overlay()
        overlay.set_child(self.button("Under"))
        overlay.add_overlay(self.button("Lid"))
        self.twins = Gtk.Box()
        self.replace()
        menu = Gio.Menu()
        for name in ("Three", "Four"):
            menu.append(name, "win." + name.lower())
        for widget in (
            overlay,
            self.button("Pay"),
            self.twins,
            self.button("Hang", liar_scene.hang),
            self.button("Idle"),
            self.button("Open second", self.open_second),
            Gtk.MenuButton(label="More", menu_model=menu),
        ):
            row.append(widget)
        return row

    def replace(self, _=""):
        old = self.twins.get_first_child()
        if old:
            self.twins.remove(old)
        self.lives += 1
        self.twins.append(self.button("Twin", life=self.lives))

    def track(self):
        self.fixed = Gtk.Fixed(height_request=36)
        self.fixed.put(self.button("Runner"), 0, 0)
        self.at = 0
        return self.fixed

    def step(self, _=""):
        self.at = (self.at + 7) % 300
        self.fixed.move(self.widgets["Runner"], self.at, 0)
        return True

    def run(self, _):
        self.running = GLib.timeout_add(liar_scene.STEP_MS, self.step)

    def halt(self, _):
        GLib.source_remove(self.running)

    def fields(self):
        row = Gtk.Box(spacing=4)
        for name in liar_scene.FIELDS:
            entry = self.widgets[name] = named(Gtk.Entry(width_chars=8), name)
            entry.set_max_length(liar_scene.SHORT if name == "Short" else 0)
            entry.connect("changed", self.changed, name)
            row.append(entry)
        focus = Gtk.EventControllerFocus()
        focus.connect("enter", lambda _: GLib.idle_add(lambda: self.widgets["Plain"].grab_focus() and False))
        self.widgets["Shy"].add_controller(focus)
        return row

    def changed(self, entry, name):
        if self.changing:
            return
        text = liar_scene.kept(name, entry.get_text())
        self.changing = True
        if text != entry.get_text():
            entry.set_text(text)
        self.changing = False
        diary(text=name, value=text)
        if name == "Jump" and len(text) == liar_scene.JUMPS:
            self.widgets["Plain"].grab_focus()
        if name == "Hop" and len(text) == liar_scene.JUMPS:
            self.widgets["Deliver"].grab_focus()
        if name == "Pop" and len(text) >= 5 and not self.second:
            self.steal()

    def steal(self):
        self.second = Gtk.Window(title=liar_scene.DIALOG, transient_for=self.window, modal=True)
        entry = named(Gtk.Entry(), "Thief")
        entry.connect("changed", lambda w: diary(text="Thief", value=w.get_text()))
        self.second.connect("close-request", self.second_gone)
        self.second.set_child(entry)
        self.second.present()

    def choices(self):
        row = Gtk.Box(spacing=4)
        colour = named(Gtk.DropDown.new_from_strings(["Red", "Green", "Blue"]), "Colour")
        colour.connect("notify::selected", lambda w, _: diary(selected=w.get_selected_item().get_string()))
        row.append(colour)
        for name in liar_scene.CHECKS:
            tick = self.widgets[name] = Gtk.CheckButton(label=name)
            tick.connect("toggled", lambda w: (self.released(), diary(toggled=w.get_label(), on=w.get_active())))
            row.append(tick)
        row.append(self.button("Next", lambda: self.widgets["Next"].set_label("Send")))
        row.append(self.button("Deliver"))
        return row

    def list(self):
        self.store = Gio.ListStore(item_type=Item)
        for n in range(1, liar_scene.ITEMS + 1):
            self.store.append(Item(n))
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", self.setup)
        factory.connect("bind", self.bind)
        model = Gtk.SingleSelection(autoselect=False, can_unselect=True)
        model.set_model(self.store)
        model.connect("notify::selected-item", self.selected)
        self.view = named(Gtk.ListView(model=model, factory=factory), "Items")
        self.pane = Gtk.ScrolledWindow(overlay_scrolling=False, vexpand=True)
        self.pane.set_child(self.view)
        return self.pane

    def selected(self, model, _):
        item = model.get_selected_item()
        if item and not self.sorting:
            diary(selected=liar_scene.item(item.n))

    def setup(self, _, item):
        row = Gtk.Box(spacing=6)
        row.append(Gtk.Label(xalign=0, hexpand=True))
        delete = Gtk.Button()
        delete.connect("clicked", lambda w: diary(clicked=w.get_label()))
        row.append(delete)
        item.set_child(row)

    def bind(self, _, item):
        label = item.get_child().get_first_child()
        label.set_text(liar_scene.item(item.get_item().n))
        label.get_next_sibling().set_label("Delete " + liar_scene.item(item.get_item().n))
        self.bound[item] = True

    def pressed(self):
        """Before the list handles the press."""
        if self.on_press:
            do, self.on_press = self.on_press, None
            do()

    def released(self):
        """Within the toggle, before the app looks which one it was: the gesture of the check box is alone with it."""
        if self.on_release:
            do, self.on_release = self.on_release, None
            do()

    def slip(self, _):
        self.on_press = self.relabel

    def relabel(self):
        for at in range(self.store.get_n_items()):
            self.store.get_item(at).n = liar_scene.ITEMS + 1 - self.store.get_item(at).n
        for item in [one for one in self.bound if one.get_item()]:
            self.bind(None, item)

    def swap(self, _):
        self.on_release = self.exchange

    def exchange(self):
        one, other = (self.widgets[name] for name in liar_scene.CHECKS)
        names = one.get_label(), other.get_label()
        other.set_label(names[0])
        one.set_label(names[1])

    def sort(self, _):
        items = [self.store.get_item(at) for at in range(self.store.get_n_items())]
        # What was selected is found again by the view itself: no user did that.
        self.sorting = True
        self.store.splice(0, len(items), list(reversed(items)))
        self.sorting = False

    def scroll(self, n):
        self.view.activate_action("list.scroll-to-item", GLib.Variant("u", int(n) - 1))

    def cover(self, on):
        self.widgets["Lid"].set_visible(on)

    def open_second(self, _=""):
        self.second = Gtk.Window(title=liar_scene.SECOND, default_width=300, default_height=120)
        self.second.connect("close-request", self.second_gone)
        self.second.set_child(self.button("Close me", self.close_second))
        self.second.present()

    def second_gone(self, window):
        diary(closed=window.get_title())
        self.second = None
        return False

    def close_second(self, _=""):
        self.second.close()

    def commands(self):
        commands = {
            "cover": lambda _: self.cover(True),
            "uncover": lambda _: self.cover(False),
            "disable": lambda a: self.widgets[a].set_sensitive(False),
            "enable": lambda a: self.widgets[a].set_sensitive(True),
            "rename": lambda a: self.widgets[a.split()[0]].set_label(a.split()[1]),
            "replace": self.replace,
            "run": self.run,
            "halt": self.halt,
            "step": self.step,
            "scroll": self.scroll,
            "sort": self.sort,
            "slip": self.slip,
            "swap": self.swap,
            "second": self.open_second,
            "close-second": self.close_second,
            "tell": lambda _: diary(held={name: self.widgets[name].get_text() for name in liar_scene.FIELDS}),
        }
        once = lambda ms, do: GLib.timeout_add(ms, lambda: do() and False)  # noqa: E731
        commands["wild"] = lambda a: liar_scene.wild(a, once, commands)
        return commands


if __name__ == "__main__":
    Gtk.init()
    commands = Main().commands()
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), commands, loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
