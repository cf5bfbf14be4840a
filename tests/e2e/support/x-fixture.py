"""Windows of every kind, on command: one line in, one line out ("ok ..."), so that a test knows when it is done."""
import ctypes
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk  # noqa: E402

windows = {}
menu = None


def xid(widget):
    return hex(widget.get_window().get_xid())


def window(name, title, decorated="bar"):
    made = Gtk.Window(title=title)
    made.set_default_size(300, 200)
    if decorated == "header":
        bar = Gtk.HeaderBar(title=title)
        bar.set_show_close_button(True)
        made.set_titlebar(bar)
    made.label = Gtk.Label(label="text", halign=Gtk.Align.END, valign=Gtk.Align.END)
    made.add(made.label)
    made.show_all()
    windows[name] = made
    return made


def dialog(name, title, parent):
    made = Gtk.Dialog(title=title, transient_for=windows[parent], modal=True)
    made.get_content_area().add(Gtk.Label(label="sure?"))
    made.show_all()
    windows[name] = made
    return made


def popup(parent):
    global menu
    menu = Gtk.Menu()
    for word in ("Open", "Close"):
        menu.append(Gtk.MenuItem(label=word))
    menu.show_all()
    area = windows[parent].get_window()
    rect = Gdk.Rectangle()
    rect.x = rect.y = 20
    rect.width = rect.height = 1
    menu.popup_at_rect(area, rect, Gdk.Gravity.SOUTH_WEST, Gdk.Gravity.NORTH_WEST, None)
    return menu.get_toplevel()


def composite():
    """Says that there is a compositor that knows shadows: GTK then draws them into its own windows."""
    xlib = ctypes.CDLL("libX11.so.6")
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    link = ctypes.c_void_p(xlib.XOpenDisplay(None))
    atom = lambda name: ctypes.c_ulong(xlib.XInternAtom(link, name, 0))  # noqa: E731
    xlib.XDefaultRootWindow.restype = ctypes.c_ulong
    root = ctypes.c_ulong(xlib.XDefaultRootWindow(link))
    more = (ctypes.c_ulong * 1)(atom(b"_GTK_FRAME_EXTENTS").value)
    xlib.XChangeProperty(link, root, atom(b"_NET_SUPPORTED"), ctypes.c_ulong(4), 32, 2, more, 1)
    xlib.XCloseDisplay(link)
    owner = Gtk.Invisible()
    owner.realize()
    display = Gdk.Display.get_default()
    atom = Gdk.Atom.intern("_NET_WM_CM_S0", False)
    Gdk.selection_owner_set_for_display(display, owner.get_window(), atom, GdkX11.x11_get_server_time(owner.get_window()), False)
    windows["compositor"] = owner
    return owner


def settle(target):
    """Comes back when three frames have passed by the app's own clock, and the server has seen all that it drew."""
    Gdk.Display.get_default().sync()
    left = [3]

    def tick(*_):
        left[0] -= 1
        if left[0] > 0:
            return True
        Gtk.main_quit()
        return False

    target.add_tick_callback(tick)
    Gtk.main()
    Gdk.Display.get_default().sync()


def run(words):
    verb, args = words[0], words[1:]
    if verb == "window":
        return xid(window(*args))
    if verb == "dialog":
        return xid(dialog(*args))
    if verb == "popup":
        return xid(popup(*args))
    if verb == "popdown":
        menu.popdown()
    elif verb == "composite":
        return xid(composite())
    elif verb == "title":
        windows[args[0]].set_title(args[1].encode().decode("unicode_escape") if args[1].startswith("\\") else args[1])
    elif verb == "label":
        windows[args[0]].label.set_text(args[1])
    elif verb == "settle":
        settle(windows[args[0]])
    elif verb == "close":
        windows.pop(args[0]).destroy()
    else:
        getattr(windows[args[0]], verb)(*[int(arg) for arg in args[1:]])
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
