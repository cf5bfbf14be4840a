#!/usr/bin/python3
"""An app in GTK3 that does not keep still: see liar_scene.py."""
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

import liar_scene  # noqa: E402
from scene import diary, listen  # noqa: E402


def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=liar_scene.TITLE, default_width=560, default_height=640)
        self.window.connect("destroy", lambda _: (diary(closed=liar_scene.TITLE), Gtk.main_quit()))
        self.widgets, self.lives, self.backwards, self.running, self.second = {}, 0, False, None, None
        self.changing = False
        self.on_press = self.on_release = None
        Gdk.event_handler_set(self.heard)
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
        for part in (self.menus(), self.buttons(), self.track(), self.fields(), self.choices(), self.list()):
            column.pack_start(part, part is getattr(self, "pane", None), True, 0)
        self.window.add(column)
        self.window.show_all()
        self.cover(False)

    def button(self, name, then=None, **facts):
        button = self.widgets[name] = Gtk.Button(label=name)
        button.connect("clicked", lambda w: (diary(clicked=w.get_label(), **facts), then and then()))
        return button

    def menus(self):
        bar, menu = Gtk.MenuBar(), Gtk.Menu()
        file = Gtk.MenuItem(label="File")
        file.set_submenu(menu)
        bar.add(file)
        for name in ("One", "Two"):
            entry = Gtk.MenuItem(label=name)
            entry.connect("activate", lambda _, n=name: diary(chosen=n))
            menu.add(entry)
        return bar

    def buttons(self):
        row = Gtk.Box(spacing=4)
        overlay = Gtk.Overlay()
        overlay.add(self.button("Under"))
        overlay.add_overlay(self.button("Lid"))
        self.twins = Gtk.Box()
        self.replace()
        more = Gtk.MenuButton(label="More")
        popup = Gtk.Menu()
        for name in ("Three", "Four"):
            entry = Gtk.MenuItem(label=name)
            entry.connect("activate", lambda _, n=name: diary(chosen=n))
            popup.add(entry)
        popup.show_all()
        more.set_popup(popup)
        for widget in (
            overlay,
            self.button("Pay"),
            self.twins,
            self.button("Hang", liar_scene.hang),
            self.button("Idle"),
            self.button("Open second", self.open_second),
            more,
        ):
            row.add(widget)
        return row

    def replace(self, _=""):
        for old in self.twins.get_children():
            old.destroy()
        self.lives += 1
        self.twins.add(self.button("Twin", life=self.lives))
        self.twins.show_all()

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
            row.add(entry)
        give = lambda *_: GLib.idle_add(lambda: self.widgets["Plain"].grab_focus() and False) and False  # noqa: E731
        self.widgets["Shy"].connect("focus-in-event", give)
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
        self.second.connect("destroy", self.second_gone)
        self.second.add(entry)
        self.second.show_all()

    def choices(self):
        row = Gtk.Box(spacing=4)
        colour = named(Gtk.ComboBoxText(), "Colour")
        for word in ("Red", "Green", "Blue"):
            colour.append_text(word)
        colour.set_active(0)
        colour.connect("changed", lambda w: diary(selected=w.get_active_text()))
        row.add(colour)
        for name in liar_scene.CHECKS:
            tick = self.widgets[name] = Gtk.CheckButton(label=name)
            tick.connect("toggled", lambda w: diary(toggled=w.get_label(), on=w.get_active()))
            row.add(tick)
        row.add(self.button("Next", lambda: self.widgets["Next"].set_label("Send")))
        row.add(self.button("Deliver"))
        return row

    def list(self):
        self.items = named(Gtk.ListBox(), "Items")
        for n in range(1, liar_scene.ITEMS + 1):
            line = Gtk.Box(spacing=6)
            line.pack_start(Gtk.Label(label=liar_scene.item(n), xalign=0), True, True, 0)
            delete = Gtk.Button(label="Delete " + liar_scene.item(n))
            delete.connect("clicked", lambda w: diary(clicked=w.get_label()))
            line.add(delete)
            row = Gtk.ListBoxRow()
            row.number = n
            row.add(line)
            self.items.add(row)
        self.items.set_sort_func(lambda a, b: (b.number - a.number) if self.backwards else (a.number - b.number))
        self.items.connect("row-selected", lambda _, r: r and diary(selected=liar_scene.item(r.number)))
        self.pane = Gtk.ScrolledWindow(overlay_scrolling=False)
        self.pane.add(self.items)
        return self.pane

    def heard(self, event):
        """Before GTK handles the event."""
        if event.type == Gdk.EventType.BUTTON_PRESS and self.on_press:
            do, self.on_press = self.on_press, None
            do()
        if event.type == Gdk.EventType.BUTTON_RELEASE and self.on_release:
            do, self.on_release = self.on_release, None
            do()
        Gtk.main_do_event(event)

    def slip(self, _):
        self.on_press = self.relabel

    def relabel(self):
        self.backwards = not self.backwards
        for row in self.items.get_children():
            row.number = liar_scene.ITEMS + 1 - row.number
            label, delete = row.get_child().get_children()
            label.set_text(liar_scene.item(row.number))
            delete.set_label("Delete " + liar_scene.item(row.number))

    def swap(self, _):
        self.on_release = self.exchange

    def exchange(self):
        one, other = (self.widgets[name] for name in liar_scene.CHECKS)
        names = one.get_label(), other.get_label()
        other.set_label(names[0])
        one.set_label(names[1])

    def sort(self, _):
        self.backwards = not self.backwards
        self.items.invalidate_sort()

    def scroll(self, n):
        bar = self.pane.get_vadjustment()
        bar.set_value((int(n) - 1) * bar.get_upper() / liar_scene.ITEMS)

    def cover(self, on):
        self.widgets["Lid"].set_visible(on)

    def open_second(self, _=""):
        self.second = Gtk.Window(title=liar_scene.SECOND, default_width=300, default_height=120)
        self.second.connect("destroy", self.second_gone)
        self.second.add(self.button("Close me", self.close_second))
        self.second.show_all()

    def second_gone(self, window):
        diary(closed=window.get_title())
        self.second = None

    def close_second(self, _=""):
        self.second.destroy()

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
    commands = Main().commands()
    listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), commands, Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
