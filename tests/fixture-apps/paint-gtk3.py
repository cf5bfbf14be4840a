"""Windows of one plain colour each, on command: one line in, one line out ("ok ..."), when it is done and drawn."""
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk  # noqa: E402,F401

windows = {}


class Paint(Gtk.Box):
    """Filled with one colour, edge to edge."""

    def __init__(self, colour):
        super().__init__()
        self.css = Gtk.CssProvider()
        self.get_style_context().add_provider(self.css, Gtk.STYLE_PROVIDER_PRIORITY_USER)
        self.fill(colour)

    def fill(self, colour):
        self.css.load_from_data(f"box {{ background: {colour}; }}".encode())


def window(name, title, colour, x, y, width, height, kind="framed"):
    made = Gtk.Window(type=Gtk.WindowType.POPUP if kind == "popup" else Gtk.WindowType.TOPLEVEL, title=title)
    made.set_decorated(kind == "framed")
    made.set_default_size(int(width), int(height))
    made.paint = Paint(colour)
    made.add(made.paint)
    made.move(int(x), int(y))
    made.show_all()
    made.move(int(x), int(y))
    windows[name] = made
    settle(made)
    return hex(made.get_window().get_xid())


def form(name, title, x, y, label, text):
    """A labelled field whose text is hidden, and one whose text is not."""
    made = Gtk.Window(title=title)
    grid = Gtk.Grid(row_spacing=20, margin=20)
    words = Gtk.Label(label=label)
    made.secret = Gtk.Entry(visibility=False, text=text, width_chars=20)
    words.set_mnemonic_widget(made.secret)
    grid.attach(words, 0, 0, 1, 1)
    grid.attach(made.secret, 0, 1, 1, 1)
    grid.attach(Gtk.Entry(text="plain", width_chars=20), 0, 2, 1, 1)
    made.add(grid)
    made.show_all()
    made.move(int(x), int(y))
    made.paint = grid
    windows[name] = made
    settle(made)
    return hex(made.get_window().get_xid())


def settle(made):
    """Comes back when three frames have passed by its own clock, and the server has seen all that it drew."""
    left = [3]

    def tick(*_):
        left[0] -= 1
        if left[0] > 0:
            return True
        Gtk.main_quit()
        return False

    made.add_tick_callback(tick)
    made.queue_draw()
    Gtk.main()
    Gdk.Display.get_default().sync()


def run(words):
    verb, args = words[0], words[1:]
    if verb == "window":
        return window(*args)
    if verb == "form":
        return form(*args)
    made = windows[args[0]]
    if verb == "colour":
        made.paint.fill(args[1])
        settle(made)
    elif verb == "move":
        made.move(int(args[1]), int(args[2]))
    elif verb == "size":
        made.resize(int(args[1]), int(args[2]))
    elif verb == "raise":
        made.get_window().raise_()
    elif verb == "close":
        windows.pop(args[0]).destroy()
    else:
        getattr(made, verb)()
    Gdk.Display.get_default().sync()
    return ""


def on_line(channel, _condition):
    line = channel.readline()
    if not line:
        Gtk.main_quit()
        return False
    try:
        print("ok", run(line.rstrip("\n").split("|")), flush=True)
    except Exception as error:  # the test shows it
        print("error", repr(error), flush=True)
    return True


GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, on_line)
print("ok ready", flush=True)
Gtk.main()
