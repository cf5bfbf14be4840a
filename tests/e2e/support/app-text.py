"""What an app exposes to another accessibility client: one JSON line for each of its elements that has text.

app-text.py PID
"""
import json
import sys

import pyatspi

pid = int(sys.argv[1])


def walk(node, depth=0):
    if node is None or depth > 40:
        return
    try:
        told = node.queryText()
        # GTK 4 tells nothing up to -1.
        text = told.getText(0, told.characterCount)
    except NotImplementedError:
        text = ""
    if text:
        print(json.dumps({"role": node.getRoleName(), "name": node.name, "text": text}), flush=True)
    for at in range(min(node.childCount, 200)):
        walk(node.getChildAtIndex(at), depth + 1)


for app in pyatspi.Registry.getDesktop(0):
    if app is not None and app.get_process_id() == pid:
        walk(app)
