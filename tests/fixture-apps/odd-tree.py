#!/usr/bin/python3
"""A window whose accessibility tree is made by hand, in ways that no toolkit would. The way is the first argument:

loop      an element lists its own ancestors among its children
endless   each element has one child, for ever
slow      there are 600 buttons, and after 1,200 answers each takes 50 ms; "faster" ends that
wrong     all that is said of the window and what is in it has the wrong type
wrong-all so has what the app says of itself
"""
import os
import sys
import time

os.environ["NO_AT_BRIDGE"] = "1"

import dbus  # noqa: E402
import dbus.bus  # noqa: E402
import dbus.lowlevel  # noqa: E402
import gi  # noqa: E402
from dbus.mainloop.glib import DBusGMainLoop  # noqa: E402

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

import scene  # noqa: E402

WAY = sys.argv[1]
ROOT = "/org/a11y/atspi/accessible/root"
AT = "/org/a11y/atspi/accessible/"
NOWHERE = "/org/a11y/atspi/null"
FRAME, PANEL, BUTTON, APPLICATION = 23, 39, 43, 75
# enabled, sensitive, showing, visible
STATES = 1 << 8 | 1 << 24 | 1 << 25 | 1 << 30
TITLE = "Odd tree"

TREES = {
    "loop": {"frame": ["a"], "a": ["before", "b"], "b": ["a", "frame", "b", "after"]},
    "slow": {"frame": ["button%d" % i for i in range(600)]},
    "wrong": {"frame": ["before"]},
    "wrong-all": {"frame": ["before"]},
}


def children(name):
    if name == "root":
        return ["frame"]
    if WAY == "endless":
        return ["level%d" % (1 if name == "frame" else int(name[5:]) + 1)]
    return TREES[WAY].get(name, [])


def role(name):
    if name in ("root", "frame"):
        return APPLICATION if name == "root" else FRAME
    return PANEL if name in ("a", "b") or name.startswith("level") else BUTTON


def extents(name):
    if name.startswith("button"):
        n = int(name[6:])
        return (n % 30 * 20, n // 30 * 20, 20, 20)
    return (0, 0, 600, 400)


def address(name):
    return (me, dbus.ObjectPath(AT + name if name else NOWHERE))


def parent(name):
    return next((other for other in ["root", *TREES.get(WAY, {})] if name in children(other)), None)


def answer(name, member, args):
    """Signature and value."""
    if member == "Get":
        values = {
            "Name": lambda: TITLE if name == "frame" else name,
            "ChildCount": lambda: dbus.Int32(len(children(name))),
            "Parent": lambda: dbus.Struct(address(parent(name)), signature="so"),
            "ToolkitName": lambda: "odd",
        }
        return "v", values.get(args[1], lambda: "")()
    values = {
        "GetChildren": lambda: ("a(so)", [address(child) for child in children(name)]),
        "GetRole": lambda: ("u", role(name)),
        "GetState": lambda: ("au", [STATES, 0]),
        "GetExtents": lambda: ("(iiii)", extents(name)),
        "GetInterfaces": lambda: ("as", ["org.a11y.atspi.Accessible", "org.a11y.atspi.Component"]),
        "GetAttributes": lambda: ("a{ss}", {}),
        "GetRelationSet": lambda: ("a(ua(so))", []),
        "GetIndexInParent": lambda: ("i", children(parent(name)).index(name)),
    }
    return values[member]() if member in values else None


def wrong(name, signature):
    """Something else than what belongs there; strings stand for lists, numbers for strings."""
    if signature == "v":
        return "v", dbus.Array([dbus.Int32(7)], signature="i")
    return "s", "what you ask for"


def hear(connection, message):
    if message.get_type() != 1 or not (message.get_path() or "").startswith(AT):
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    name = message.get_path()[len(AT) :]
    global answers
    answers += 1
    if answers > 1200:
        time.sleep(delay)
    found = answer(name, message.get_member(), message.get_args_list())
    if found is None:
        reply = dbus.lowlevel.ErrorMessage(message, "org.freedesktop.DBus.Error.UnknownMethod", "no")
    else:
        reply = dbus.lowlevel.MethodReturnMessage(message)
        if WAY == "wrong-all" or (WAY == "wrong" and name != "root"):
            found = wrong(name, found[0])
        reply.append(found[1], signature=found[0])
    connection.send_message(reply)
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


def faster(_):
    global delay
    delay = 0


answers = 0
delay = 0.05 if WAY == "slow" else 0
DBusGMainLoop(set_as_default=True)
launcher = dbus.SessionBus().get_object("org.a11y.Bus", "/org/a11y/bus")
bus = dbus.bus.BusConnection(launcher.GetAddress(dbus_interface="org.a11y.Bus"))
me = bus.get_unique_name()
bus.add_message_filter(hear)

window = Gtk.Window(title=TITLE, default_width=600, default_height=400)
loop = GLib.MainLoop()
window.connect("destroy", lambda _: loop.quit())
window.show_all()
registry = dbus.Interface(bus.get_object("org.a11y.atspi.Registry", ROOT, introspect=False), "org.a11y.atspi.Socket")
registry.Embed(dbus.Struct(address("root"), signature="so"), signature="(so)")
# Not in the main loop: that has a queue of slow answers.
scene.listen(lambda perform, line: perform(line), {"faster": faster}, loop.quit)
GLib.idle_add(lambda: scene.diary(ready=True) and False)
loop.run()
