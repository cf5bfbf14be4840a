"""What the apps that are acted on have in common. Their diaries use the words of scene.ts; a long text is recorded
by its length and its SHA-256 sum. What only a mouse can do:
  the pad  {"hovered": "Pad"} {"pressed": "Pad", "button": "left", "count": 2, "held": ["ctrl"]}
           {"dragged": "Pad", "by": [40, 10], "motions": 10} {"menu": "Pad"}, which has the item "Clear"
  goods    {"dropped": "Parcel", "onto": "Shelf"}
Keys that no field takes: {"shortcut": "ctrl+s"}"""
import hashlib
import time

from scene import about_to_hang, diary, hang

TITLE = "Acted on"
DIALOG = "Question"
ALT = {3: "MOD1_MASK", 4: "ALT_MASK"}


def long_text(length):
    return ("0123456789abcdef\u00e9\u65e5\U0001f600" * (length // 19 + 1))[:length]


def summary(text):
    if text is None or len(text) < 200:
        return text
    return "%d %s" % (len(text), hashlib.sha256(text.encode()).hexdigest())


def sleep(seconds):
    time.sleep(float(seconds))


def changed(name, text):
    """A field whose app hangs on a certain text."""
    if text == "hang":
        about_to_hang()
    diary(text=name, value=text)
    if text == "hang":
        hang()


class Pointer:
    """Toolkits also say that the pointer comes in when a menu over it is closed, or a button let go: it was there."""

    last = None

    def came(self, place):
        if self.last != place:
            diary(hovered="Pad")
        self.last = place


def pad_pressed(button, count, held):
    diary(pressed="Pad", button=button, count=count, **({"held": held} if held else {}))
