"""Tries to reach Deskproof's own files, itself and in a child that forked twice, then shows a window.

trespasser.py DIARY JSON, JSON = {"paths": [...], "host": PID, "socket": PATH}. One line for each thing it got.
"""

import ctypes
import json
import os
import socket
import subprocess
import sys

diary, given = sys.argv[1], json.loads(sys.argv[2])
paths, host = given["paths"], given["host"]
libc = ctypes.CDLL(None, use_errno=True)


def write(**line):
    with open(diary, "a") as file:
        file.write(json.dumps(line) + "\n")


def attempt(who, what, work):
    try:
        got = work()
    except OSError:
        return
    if got:
        write(got=what, by=who)


def read(path):
    if os.path.isdir(path):
        return os.listdir(path)
    with open(path, "rb") as file:
        return file.read(64)


def by_link(path):
    link = os.path.join(os.environ["HOME"], f"link-{os.getpid()}")
    os.symlink(path, link)
    try:
        return read(link)
    finally:
        os.unlink(link)


def attach():
    if libc.ptrace(16, host, 0, 0) != 0:
        return False
    os.waitpid(host, 0)
    libc.ptrace(17, host, 0, 0)
    return True


def enter_namespace(kind):
    file = os.open(f"/proc/{host}/ns/{kind}", os.O_RDONLY)
    return libc.setns(file, 0) == 0 and [path for path in paths if os.path.exists(path)]


def call(address):
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(address)
        return True


def uncover(path, words):
    done = subprocess.run([*words, path], capture_output=True)
    return done.returncode == 0 and os.path.isdir(path) and os.listdir(path)


def exchange(path):
    """Another directory in the place of the one above it."""
    above = os.path.dirname(path)
    os.rename(above, above + ".moved")
    os.rename(above + ".moved", above)
    return True


def trespass(who):
    for path in paths:
        attempt(who, path, lambda: read(path))
        attempt(who, f"link to {path}", lambda: by_link(path))
        attempt(who, f"root {path}", lambda: read(f"/proc/{host}/root{path}"))
        attempt(who, f"relative {path}", lambda: read(os.path.relpath(path)))
        attempt(who, f"umount {path}", lambda: uncover(path, ["umount", "-l"]))
        attempt(who, f"unshare umount {path}", lambda: uncover(path, ["unshare", "-Urm", "umount"]))
        attempt(who, f"write {path}", lambda: open(path, "r+b").close() or True)
        if path.endswith("/deskproof"):
            attempt(who, f"exchange {path}", lambda: exchange(path))
    for name in ["cwd", "environ", "maps"]:
        attempt(who, name, lambda: read(f"/proc/{host}/{name}"))
    for number in range(64):
        attempt(who, f"fd {number}", lambda: os.close(os.open(f"/proc/{host}/fd/{number}", os.O_RDONLY)) or True)
    attempt(who, "ptrace", attach)
    attempt(who, "mem", lambda: open(f"/proc/{host}/mem", "rb").close() or True)
    for kind in ["user", "mnt"]:
        attempt(who, f"namespace {kind}", lambda: enter_namespace(kind))
    attempt(who, "socket", lambda: call(given["socket"]))
    attempt(who, "socket by root", lambda: call(f"/proc/{host}/root{given['socket']}"))
    write(ended=who)


trespass("app")
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        trespass("child")
    os._exit(0)
os.wait()
if given.get("window"):
    os.execvp("xclock", ["xclock"])
