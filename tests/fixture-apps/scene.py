"""The words of the standard scene (tests/conformance/scene.ts), and how a fixture app gets commands and writes its diary."""
import json
import sys
import threading

MAIN = "Plain fixture"
BYSTANDER = "Plain bystander"
DIALOG = "Question"
CANARY = "hunter2-canary"
HIDDEN = "never shown"
LABEL = "Ready"
NOTES = "First line\nSecond line: na\u00efve caf\u00e9 \u65e5\u672c \U0001f600\nThird line"
ITEMS = 200
HEADERS = ["Id", "Customer", "Total"]
ROWS = 300
CUSTOMERS = ["Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra"]


def order(n):
    return [str(1000 + n), CUSTOMERS[(n - 1) % len(CUSTOMERS)], "%.2f" % (n * 12.5)]


def diary(**facts):
    """One line for each thing that happened, so that a test can ask the app and not us."""
    sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def plain(argument):
    return json.loads(argument) if argument.startswith('"') else argument


def is_bystander():
    return "--bystander" in sys.argv


let_go = threading.Event()
announced = threading.Event()


def about_to_hang():
    """Before the hang is reported: the reader of the report may send `go` at once."""
    let_go.clear()
    announced.set()


def hang():
    """Until it gets `go`, which is read all the same; without a limit it would outlive a failed test."""
    if not announced.is_set():
        let_go.clear()
    announced.clear()
    let_go.wait(60)


def listen(run_in_main_loop, commands, gone):
    """Reads commands in a thread and performs each in the toolkit's own loop; `gone` when the input ends."""

    def perform(line):
        word, _, argument = line.partition(" ")
        try:
            if word not in commands:
                raise KeyError("no command " + word)
            commands[word](argument)
            diary(done=word)
        except Exception as error:  # a fixture reports what went wrong and continues
            diary(failed=word, why=str(error))

    def read():
        for line in sys.stdin:
            line = line.rstrip("\n")
            if line == "go":
                let_go.set()
                diary(done=line)
            elif line:
                run_in_main_loop(perform, line)
        run_in_main_loop(lambda _: gone(), None)

    threading.Thread(target=read, daemon=True).start()
