"""What pyatspi takes for the walks that read.mjs compares with, one walk a process so that nothing is cached.

    pyatspi_walk.py full|shown|list [PID]

Prints one line of JSON. Only the walk is timed, not Python's start and not the first contact with the app.
"""
import json
import sys
import time

import pyatspi

# Children are not followed where their number is no limit to rely on; full-walk.mjs has the same rule.
MANY = 5000


def find_app(pid):
    for app in pyatspi.Registry.getDesktop(0):
        if app is not None and app.get_process_id() == pid:
            app.name, app.childCount  # noqa: B018 (opens the way to the app before the clock starts)
            return app
    sys.exit(f"no app with pid {pid} on the accessibility bus")


def children(node, states):
    count = node.childCount
    if count > MANY or pyatspi.STATE_MANAGES_DESCENDANTS in states:
        return []
    found = (node.getChildAtIndex(i) for i in range(count))
    return [child for child in found if child is not None]


def extents(node):
    box = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    return [box.x, box.y, box.width, box.height]


def text(node):
    content = node.queryText()
    count = content.characterCount
    return content.getText(0, count) if count > 0 else ""


def read(node, states):
    """Every property of the like-for-like walk."""
    record = {"role": int(node.getRole()), "name": node.name, "states": states}
    record["interfaces"] = interfaces = node.get_interfaces()
    if "Component" in interfaces:
        record["extents"] = extents(node)
    if "Action" in interfaces:
        action = node.queryAction()
        record["actions"] = [action.getName(i) for i in range(action.nActions)]
    if "Value" in interfaces:
        record["value"] = node.queryValue().currentValue
    if "Text" in interfaces:
        record["text"] = text(node)
    return record


def read_shown(node, states):
    record = {"role": int(node.getRole()), "name": node.name, "states": states}
    if "Component" in node.get_interfaces():
        record["extents"] = extents(node)
    return record


def walk(root, reader, skips_hidden):
    records = []
    stack = [root]
    while stack:
        node = stack.pop()
        try:
            states = node.getState().getStates()
            if skips_hidden and node is not root and pyatspi.STATE_SHOWING not in states:
                continue
            records.append(reader(node, states))
            stack.extend(children(node, states))
        except Exception as error:  # an element that left while it was read: counted, as on the other side
            records.append({"gone": str(error)})
    return records


def core_wait(pid):
    """See core-wait.mjs."""
    try:
        with open(f"/proc/{pid}/task/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e6
    except OSError:
        return 0


def main(kind, pid=None):
    if kind == "list":
        started = time.perf_counter()
        names = [app.name for app in pyatspi.Registry.getDesktop(0) if app is not None]
        answer = {"ms": (time.perf_counter() - started) * 1000, "apps": len(names)}
    else:
        app = find_app(int(pid))
        waited = core_wait(pid)
        started = time.perf_counter()
        records = walk(app, *((read, False) if kind == "full" else (read_shown, True)))
        ms = (time.perf_counter() - started) * 1000
        answer = {"ms": ms, "appWaited": core_wait(pid) - waited, **summary(records)}
    print(json.dumps(answer))


def summary(records):
    """Enough to tell whether two walks read the same things."""
    there = [record for record in records if "gone" not in record]
    return {
        "nodes": len(there),
        "gone": len(records) - len(there),
        "nameChars": sum(len(record["name"] or "") for record in there),
        "textChars": sum(len(record.get("text") or "") for record in there),
        "actions": sum(len(record.get("actions", [])) for record in there),
        "values": sum("value" in record for record in there),
        "placed": sum("extents" in record for record in there),
    }


main(*sys.argv[1:])
