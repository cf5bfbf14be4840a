#!/usr/bin/python3
"""A window that says of itself, wherever an app can say something of itself, that it is the calculator. GTK 3.

Argument: its title. Commands: name JSON (what its button is called), pid NUMBER (what _NET_WM_PID says), of XID (whose
dialog it is). A click is reported on standard output."""
import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk  # noqa: E402

import scene  # noqa: E402
from scene import diary  # noqa: E402

GLib.set_prgname("gnome-calculator")
GLib.set_application_name("Calculator")
Gdk.set_program_class("Gnome-calculator")


class Main:
    def __init__(self, title):
        self.window = Gtk.Window(title=title, default_width=300, default_height=160)
        self.window.set_wmclass("gnome-calculator", "Gnome-calculator")
        self.window.connect("destroy", lambda _: loop.quit())
        self.button = button = Gtk.Button(label="x")
        button.get_accessible().set_name("9")
        button.connect("clicked", lambda _: diary(clicked=True))
        self.window.add(button)
        self.window.show_all()
        atk = self.window.get_accessible()
        atk.set_name(title)

    def xid(self):
        return self.window.get_window().get_xid()

    def name(self, label):
        self.button.get_accessible().set_name(json.loads(label))

    def pid(self, number):
        """As a program would that wants to be taken for another."""
        import subprocess

        claim = ["-f", "_NET_WM_PID", "32c", "-set", "_NET_WM_PID", number]
        subprocess.run(["xprop", "-id", str(self.xid()), *claim], check=True)

    def of(self, xid):
        display = Gdk.Display.get_default()
        owner = GdkX11.X11Window.foreign_new_for_display(display, int(xid))
        self.window.get_window().set_transient_for(owner)
        display.sync()

    def commands(self):
        return {"pid": self.pid, "of": self.of, "name": self.name}


if __name__ == "__main__":
    loop = GLib.MainLoop()
    main = Main(sys.argv[1])
    scene.listen(lambda work, line: GLib.idle_add(lambda: work(line) and False), main.commands(), loop.quit)
    GLib.idle_add(lambda: diary(ready=True) and False)
    loop.run()
