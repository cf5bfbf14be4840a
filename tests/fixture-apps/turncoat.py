#!/usr/bin/python3
"""A window that turns into another one, which policy hides, and back. GTK 3.

What is secret is shown only while the title says so: the title is at the server before the first secret pixel or name,
and the last of them is gone before the title is."""
import random

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

import scene  # noqa: E402
from scene import diary  # noqa: E402

PLAIN = ("Start page", "#3a6ea5", "Welcome", "Read on")
SECRET = ("Online Banking 7781", "#e31fb9", "Balance 4,711.00", "Wire 4,711.00")


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=PLAIN[0], default_width=400, default_height=300)
        self.window.connect("destroy", lambda _: loop.quit())
        self.box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8)
        self.css = Gtk.CssProvider()
        self.box.get_style_context().add_provider(self.css, Gtk.STYLE_PROVIDER_PRIORITY_USER)
        self.label = Gtk.Label()
        self.button = Gtk.Button(halign=Gtk.Align.CENTER)
        self.entry = Gtk.Entry(halign=Gtk.Align.CENTER)
        for part in (self.label, self.button, self.entry):
            self.box.add(part)
        self.window.add(self.box)
        self.fill(PLAIN)
        self.window.show_all()
        self.window.move(60, 60)
        self.secret = False
        self.storming = False

    def fill(self, face):
        _, colour, words, action = face
        self.css.load_from_data(f"box {{ background: {colour}; }}".encode())
        self.label.set_text(words)
        self.button.set_label(action)
        self.entry.set_text(words)
        (self.entry if face is PLAIN else self.button).grab_focus()

    def drawn(self, then):
        """When two frames have passed and the server has all of it."""
        left = [2]

        def tick(*_):
            left[0] -= 1
            if left[0] > 0:
                return True
            Gdk.Display.get_default().sync()
            then()
            return False

        self.window.add_tick_callback(tick)
        self.window.queue_draw()

    def turn(self, then):
        self.secret = True
        self.window.set_title(SECRET[0])
        Gdk.Display.get_default().sync()
        self.fill(SECRET)
        self.drawn(then)

    def back(self, then):
        def plain():
            self.window.set_title(PLAIN[0])
            Gdk.Display.get_default().sync()
            self.secret = False
            then()

        self.fill(PLAIN)
        self.drawn(plain)

    def wait(self, begin):
        inner = GLib.MainLoop()
        begin(inner.quit)
        inner.run()

    def flash(self, times):
        """As fast as it can: between two reads of a client that gets changes only later."""
        for _ in range(int(times)):
            self.window.set_title(SECRET[0])
            Gdk.Display.get_default().sync()
            self.window.set_title(PLAIN[0])
            Gdk.Display.get_default().sync()

    def storm(self, seed):
        """Turns round and round by itself, at random moments."""
        dice = random.Random(int(seed))
        self.storming = True
        self.turns = 0

        def on():
            if not self.storming and not self.secret:
                return
            self.turns += 1
            GLib.timeout_add(dice.randrange(1, 60), lambda: (self.back(on) if self.secret else self.turn(on)) and False)

        on()

    def calm(self, _):
        self.storming = False
        while self.secret:
            Gtk.main_iteration()
        diary(turns=self.turns)


if __name__ == "__main__":
    loop = GLib.MainLoop()
    main = Main()
    commands = {
        "turn": lambda _: main.wait(main.turn),
        "back": lambda _: main.wait(main.back),
        "flash": lambda times: main.flash(times),
        "storm": main.storm,
        "calm": main.calm,
    }
    scene.listen(lambda work, line: GLib.idle_add(lambda: work(line) and False), commands, loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
