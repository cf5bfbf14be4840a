"""Apps that do not keep still: what they have in common. Their diaries record what was really done to what.

Commands, the same in every toolkit: cover, uncover (the button "Lid" over "Under"), disable NAME, enable NAME,
rename NAME NEW, replace (another "Twin" in the place of the first), run, halt ("Runner" moves), scroll N (item N comes
into view), sort (the list the other way round), second, close-second (another window), wild N SEED MS (does N such
things by itself at random moments), tell (what the fields hold), slip (the rows of the list take each other's texts
while the app handles the next press, as in a view whose model was sorted; in the page it is the list "Picks"), swap
(the check boxes "Tick" and "Tock" do that while the app handles the next release). The field "Shy" passes its focus on to "Plain", and "Jump" does when it holds three letters. "Hop" passes
it on to the button "Deliver" then. "Next" is called "Send" after its first click; "rename Next Next" undoes that.
"""
import random

from scene import diary, hang  # noqa: F401 (the apps take it from here)

TITLE = "Liars"
SECOND = "Second"
DIALOG = "Stolen"
ITEMS = 60
SHORT = 5
JUMPS = 3
FIELDS = ("Plain", "Drops", "Upper", "Short", "Pop", "Shy", "Jump", "Hop")
BUTTONS = ("Under", "Pay", "Twin", "Hang", "Idle", "Open second")
STEP_MS = 16
CHECKS = ("Tick", "Tock")


def kept(name, text):
    """What a field makes of what is written into it."""
    if name == "Drops":
        return "".join(letter for letter in text if not letter.isdigit())
    if name == "Upper":
        return text.upper()
    return text


def item(n):
    return "item %d" % n


def wild(argument, after, commands):
    """So many changes, each after a random while; `after(ms, do)` is the toolkit's timer."""
    count, seed, most = (int(word) for word in argument.split())
    dice = random.Random(seed)
    does = ["sort", "scroll", "replace", "toggle", "cover", "uncover", "step"]

    def one(left):
        if left == 0:
            return
        do = dice.choice(does)
        if do == "scroll":
            commands["scroll"](str(dice.randint(1, ITEMS)))
        elif do == "toggle":
            commands[dice.choice(("enable", "disable"))]("Pay")
        else:
            commands[do]("")
        diary(wild=do)
        after(dice.randint(1, most), lambda: one(left - 1))

    after(dice.randint(1, most), lambda: one(count))
