#!/usr/bin/python3
"""A pad for the mouse, an entry and a text in GTK 3. Writes down every button, notch, key and change of text."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402  (first: it chooses the version of Gdk)
from gi.repository import Gdk, GLib  # noqa: E402

from input_diary import SIZE, TITLE, diary, held, listen  # noqa: E402

CLICKS = {Gdk.EventType.BUTTON_PRESS: 1, Gdk.EventType._2BUTTON_PRESS: 2, Gdk.EventType._3BUTTON_PRESS: 3}
SCROLLS = {
    Gdk.ScrollDirection.UP: "up",
    Gdk.ScrollDirection.DOWN: "down",
    Gdk.ScrollDirection.LEFT: "left",
    Gdk.ScrollDirection.RIGHT: "right",
}


class Main:
    def __init__(self):
        self.window = Gtk.Window(title=TITLE, default_width=SIZE[0], default_height=SIZE[1])
        self.window.connect("destroy", Gtk.main_quit)
        self.window.connect("key-press-event", self.key)
        self.pad = Gtk.EventBox(height_request=160, can_focus=True)
        mask = Gdk.EventMask
        self.pad.add_events(
            mask.BUTTON_PRESS_MASK | mask.BUTTON_RELEASE_MASK | mask.POINTER_MOTION_MASK | mask.SCROLL_MASK
        )
        self.pad.connect("button-press-event", self.press)
        self.pad.connect("button-release-event", self.release)
        self.pad.connect("motion-notify-event", self.motion)
        self.pad.connect("scroll-event", self.scroll)
        self.entry = Gtk.Entry()
        self.entry.connect("changed", lambda w: diary(entry=w.get_text()))
        self.text = Gtk.TextView(accepts_tab=True)
        buffer = self.text.get_buffer()
        buffer.connect("changed", lambda b: diary(text=b.get_text(*b.get_bounds(), True)))
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        column.pack_start(self.pad, False, False, 0)
        column.pack_start(self.entry, False, False, 0)
        column.pack_start(self.text, True, True, 0)
        self.window.add(column)
        self.window.show_all()

    def place(self, widget):
        _, x, y = self.window.get_window().get_origin()
        x, y = widget.translate_coordinates(self.window, x, y)
        return [x, y, widget.get_allocated_width(), widget.get_allocated_height()]

    def key(self, _, event):
        diary(key=Gdk.keyval_name(event.keyval), held=held(event.state))
        return False

    def press(self, _, event):
        diary(press=event.button, clicks=CLICKS[event.type], at=[event.x_root, event.y_root], held=held(event.state))

    def release(self, _, event):
        diary(release=event.button, at=[event.x_root, event.y_root])

    def motion(self, _, event):
        diary(motion=[event.x_root, event.y_root])

    def scroll(self, _, event):
        diary(scroll=SCROLLS.get(event.direction, "smooth"))


main = Main()


def focus(name):
    {"pad": main.pad, "entry": main.entry, "text": main.text}[name].grab_focus()


def clear(_):
    main.entry.set_text("")
    main.text.get_buffer().set_text("")


def where(_):
    diary(where={"pad": main.place(main.pad), "entry": main.place(main.entry), "text": main.place(main.text)})


def stall(ms):
    """The app does nothing for a while, as apps do."""
    import time

    time.sleep(float(ms) / 1000)


def grab(_):
    """As an open menu does."""
    seat = main.window.get_display().get_default_seat()
    if seat.grab(main.window.get_window(), Gdk.SeatCapabilities.ALL, True, None, None, None) != Gdk.GrabStatus.SUCCESS:
        raise RuntimeError("the grab was refused")


commands = {"focus": focus, "clear": clear, "where": where, "stall": stall, "grab": grab}
listen(lambda work, line: GLib.idle_add(lambda: work(line) and False), commands, Gtk.main_quit)
GLib.idle_add(lambda: diary(ready=True) and False)
Gtk.main()
