#!/usr/bin/python3
"""A GTK 3 window that changes in many ways, some of them without an accessibility event. Commands on standard input,
each with the seed of its choices; diary on standard output: see scene.py."""
import random

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

import scene  # noqa: E402
from scene import diary  # noqa: E402

TITLE = "Warm fixture"
WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty"]


def words(dice, most=3):
    return " ".join(dice.choice(WORDS) for _ in range(dice.randint(1, most)))


def scrolled(child, height):
    pane = Gtk.ScrolledWindow(min_content_height=height, max_content_height=height, overlay_scrolling=False)
    pane.add(child)
    return pane


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=TITLE, default_width=620, default_height=640)
        self.window.connect("destroy", Gtk.main_quit)
        self.others = []
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4, margin=6)
        self.labels = [Gtk.Label(label="Label %d" % n, xalign=0) for n in range(4)]
        self.checks = [Gtk.CheckButton(label="Check %d" % n) for n in range(4)]
        self.radios = [Gtk.RadioButton(label="Radio 0")]
        for n in range(1, 4):
            self.radios.append(Gtk.RadioButton.new_with_label_from_widget(self.radios[0], "Radio %d" % n))
        self.entries = [Gtk.Entry(text="Entry %d" % n) for n in range(2)]
        for n, entry in enumerate(self.entries):
            entry.get_accessible().set_name("Field %d" % n)
        self.bare = Gtk.Entry(placeholder_text="Search")
        self.spin = Gtk.SpinButton.new_with_range(0, 100, 1)
        self.scale = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
        self.combo = Gtk.ComboBoxText()
        for word in WORDS[:5]:
            self.combo.append_text(word)
        self.combo.set_active(0)
        self.row(column, *self.labels)
        self.row(column, *self.checks, *self.radios)
        self.row(column, *self.entries, self.bare)
        self.row(column, self.spin, self.scale, self.combo)
        self.book = Gtk.Notebook()
        for n in range(3):
            page = Gtk.Box(spacing=4)
            page.add(Gtk.Button(label="Page %d button" % n))
            self.book.append_page(page, Gtk.Label(label="Page %d" % n))
        column.pack_start(self.book, False, False, 0)
        self.expander = Gtk.Expander(label="More")
        self.expander.add(Gtk.Button(label="Inside"))
        column.pack_start(self.expander, False, False, 0)
        self.list = Gtk.ListBox()
        self.list.get_accessible().set_name("Rows")
        self.made = 0
        for _ in range(30):
            self.list.add(self.item())
        self.list_pane = scrolled(self.list, 110)
        column.pack_start(self.list_pane, False, False, 0)
        self.store = Gtk.ListStore(str, str)
        for n in range(60):
            self.store.append(["Cell %d" % n, "Value %d" % n])
        self.table = Gtk.TreeView(model=self.store)
        self.table.get_accessible().set_name("Table")
        for i, title in enumerate(["Key", "Value"]):
            self.table.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=i))
        self.table_pane = scrolled(self.table, 120)
        column.pack_start(self.table_pane, False, False, 0)
        self.box = Gtk.Box(spacing=4)
        column.pack_start(self.box, False, False, 0)
        self.quiet = Gtk.Box(spacing=4)
        column.pack_start(self.quiet, False, False, 0)
        self.window.add(column)
        self.window.show_all()
        self.all = self.labels + self.checks + self.radios + self.entries + [self.spin, self.scale, self.combo]

    def row(self, column, *widgets):
        box = Gtk.Box(spacing=6)
        for widget in widgets:
            box.pack_start(widget, isinstance(widget, (Gtk.Scale, Gtk.Entry)), True, 0)
        column.pack_start(box, False, False, 0)

    def item(self):
        self.made += 1
        row = Gtk.Box(spacing=6)
        row.pack_start(Gtk.Label(label="Item %d" % self.made), False, False, 0)
        row.pack_end(Gtk.Button(label="Drop %d" % self.made), False, False, 0)
        row.show_all()
        return row

    # Each of these changes something by the dice that it is given.

    def text(self, dice):
        dice.choice(self.entries).set_text(words(dice))

    def label(self, dice):
        dice.choice(self.labels).set_text(words(dice, 2))

    def placeholder(self, dice):
        self.bare.set_placeholder_text(words(dice, 1))

    def check(self, dice):
        box = dice.choice(self.checks)
        box.set_inconsistent(dice.random() < 0.2)
        box.set_active(not box.get_active())

    def radio(self, dice):
        dice.choice(self.radios).set_active(True)

    def value(self, dice):
        dice.choice([self.spin, self.scale]).set_value(dice.randint(0, 100))

    def choose(self, dice):
        self.combo.set_active(dice.randrange(5))

    def sensitive(self, dice):
        widget = dice.choice(self.all)
        widget.set_sensitive(not widget.get_sensitive())

    def visible(self, dice):
        widget = dice.choice(self.all)
        widget.set_visible(not widget.get_visible())

    def page(self, dice):
        self.book.set_current_page(dice.randrange(3))

    def expand(self, _):
        self.expander.set_expanded(not self.expander.get_expanded())

    def add(self, dice):
        button = Gtk.Button(label=words(dice))
        self.box.add(button)
        button.show()
        if len(self.box.get_children()) > 6:
            self.box.get_children()[0].destroy()

    def remove(self, dice):
        if self.box.get_children():
            dice.choice(self.box.get_children()).destroy()

    def swap(self, dice):
        if len(self.box.get_children()) > 1:
            self.box.reorder_child(dice.choice(self.box.get_children()), dice.randrange(3))

    def unannounced(self, dice):
        """A child without an accessibility event, and another that goes."""
        box = Gtk.Box()
        box.add(Gtk.Button(label=words(dice)))
        without_events(self.quiet, lambda: (self.quiet.add(box), box.show_all()))
        if len(self.quiet.get_children()) > 4:
            without_events(self.quiet, lambda: self.quiet.get_children()[0].destroy())

    def insert_row(self, dice):
        self.list.insert(self.item(), dice.randrange(5))

    def remove_row(self, dice):
        rows = self.list.get_children()
        if len(rows) > 10:
            dice.choice(rows[:12]).destroy()

    def select_row(self, dice):
        self.list.select_row(dice.choice(self.list.get_children()))

    def scroll_rows(self, dice):
        adjustment = self.list_pane.get_vadjustment()
        adjustment.set_value(dice.uniform(0, adjustment.get_upper()))

    def cell(self, dice):
        self.store[dice.randrange(6)][dice.randrange(2)] = words(dice)

    def insert_cells(self, dice):
        self.store.insert(dice.randrange(4), [words(dice), words(dice)])

    def remove_cells(self, dice):
        if len(self.store) > 20:
            self.store.remove(self.store.get_iter(dice.randrange(4)))

    def scroll_table(self, dice):
        adjustment = self.table_pane.get_vadjustment()
        adjustment.set_value(dice.uniform(0, adjustment.get_upper()))

    def select_cells(self, dice):
        self.table.get_selection().select_path(dice.randrange(10))

    def name(self, dice):
        dice.choice(self.entries).get_accessible().set_name(words(dice))

    def focus(self, dice):
        dice.choice(self.entries + self.checks).grab_focus()

    def title(self, dice):
        self.window.set_title("%s %s" % (TITLE, words(dice)))

    def move(self, dice):
        self.window.move(dice.randint(0, 500), dice.randint(0, 200))

    def resize(self, dice):
        self.window.resize(dice.randint(560, 800), dice.randint(600, 760))

    def spacing(self, dice):
        self.box.get_parent().set_spacing(dice.randint(0, 8))

    def cover(self, _):
        """Another window of this app in front of it; an even number of times, none."""
        if self.others:
            self.others.pop().destroy()
            return
        other = Gtk.Window(title="Cover", default_width=900, default_height=800)
        other.add(Gtk.Label(label="In front"))
        other.show_all()
        other.move(0, 0)
        self.others.append(other)

    def commands(self):
        def by_dice(change):
            return lambda seed: change(random.Random(seed))

        names = [name for name in Main.__dict__ if not name.startswith("_") and name not in ("row", "item", "commands")]
        return {name.replace("_", "-"): by_dice(getattr(self, name)) for name in names}


def without_events(container, change):
    """Without listeners on the container, its accessible object included. Handlers are numbered over all objects."""
    handlers = [n for n in range(1, 20000) if container.handler_is_connected(n)]
    for handler in handlers:
        container.handler_block(handler)
    change()
    for handler in handlers:
        container.handler_unblock(handler)


def in_loop(perform, line):
    GLib.idle_add(lambda: perform(line) and False)


if __name__ == "__main__":
    scene.listen(in_loop, Main().commands(), Gtk.main_quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    Gtk.main()
