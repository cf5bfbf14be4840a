"""What the input fixtures share: names of places and how a diary line looks."""
from scene import diary, listen  # noqa: F401

TITLE = "Plain input"
SIZE = (600, 420)
MODIFIERS = (("shift", 1), ("ctrl", 4), ("alt", 8), ("meta", 64))


def held(state):
    """Names of the modifiers in an X state mask, in a fixed order."""
    return [name for name, bit in MODIFIERS if state & bit]
