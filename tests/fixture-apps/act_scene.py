"""What the apps that are acted on have in common. Their diaries use the words of scene.ts; a text of any length is told
by its length and its sum."""
import hashlib
import time

from scene import diary

TITLE = "Acted on"
DIALOG = "Question"


def long_text(length):
    return ("0123456789abcdef\u00e9\u65e5\U0001f600" * (length // 19 + 1))[:length]


def told(text):
    if text is None or len(text) < 200:
        return text
    return "%d %s" % (len(text), hashlib.sha256(text.encode()).hexdigest())


def sleep(seconds):
    time.sleep(float(seconds))


def changed(name, text):
    """A field whose app hangs on a certain text."""
    diary(text=name, value=text)
    if text == "hang":
        time.sleep(6)
