"""The same in every toolkit: a table with ticks, a canvas without elements, and buttons whose effect the tree hardly shows."""

BUTTONS = (
    "Nothing",  # no effect at all
    "Paint",  # one more square of 32 pixels on the canvas
    "Copy",  # only takes the clipboard
    "Work",  # computes for LATE_MS, then paints
)
GOODS = ("Bread", "Milk", "Apples", "Rice")
LATE_MS = 1100
BUSY = 20_000
