#!/usr/bin/python3
"""An entry and a text in GTK 4. Writes down every key and change of text."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # noqa: E402  (first: it chooses the version of Gdk)
from gi.repository import Gdk, GLib  # noqa: E402

from input_diary import SIZE, TITLE, diary, held, listen  # noqa: E402

Gtk.init()
loop = GLib.MainLoop()
window = Gtk.Window(title=TITLE, default_width=SIZE[0], default_height=SIZE[1])
window.connect("close-request", lambda _: loop.quit())
keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
keys.connect("key-pressed", lambda _, key, code, state: diary(key=Gdk.keyval_name(key), held=held(state)))
window.add_controller(keys)
entry = Gtk.Entry()
entry.connect("changed", lambda w: diary(entry=w.get_text()))
text = Gtk.TextView(accepts_tab=True, vexpand=True)
text.get_buffer().connect("changed", lambda b: diary(text=b.get_text(*b.get_bounds(), True)))
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
column.append(entry)
column.append(text)
window.set_child(column)
window.present()


def clear(_):
    entry.set_text("")
    text.get_buffer().set_text("")


commands = {"focus": lambda name: {"entry": entry, "text": text}[name].grab_focus(), "clear": clear}
listen(lambda work, line: GLib.idle_add(lambda: work(line) and False), commands, loop.quit)
GLib.idle_add(lambda: diary(ready=True) and False)
loop.run()
