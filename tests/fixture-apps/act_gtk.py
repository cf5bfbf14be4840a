"""What the GTK 3 and the GTK 4 app that are acted on have in common (see act_scene.py). Each of them says for itself, in
the methods that are missing here, what its version does otherwise."""
from gi.repository import Gdk, GLib, Gtk

import act_scene
from scene import diary, listen

HELD = (("shift", "SHIFT_MASK"), ("ctrl", "CONTROL_MASK"), ("alt", act_scene.ALT[Gtk.MAJOR_VERSION]))
ANSWERS = {Gtk.ResponseType.YES: "Yes", Gtk.ResponseType.NO: "No"}


class GtkScene:
    def __init__(self):
        self.window = Gtk.Window(title=act_scene.TITLE, default_width=620, default_height=640)
        self.window_made()
        self.fill_window()

    def fill_window(self):
        self.widgets = {}
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
        for part in self.parts():
            self.put(column, part)
        self.show(column)

    def keep(self, name, widget):
        self.widgets[name] = widget
        return widget

    def row(self, *widgets):
        row = Gtk.Box(spacing=4)
        for widget in widgets:
            self.put(row, widget)
        return row

    def button(self, name, then=None):
        button = self.keep(name, Gtk.Button(label=name))
        button.connect("clicked", lambda _: (diary(clicked=name), then and then()))
        return button

    def buttons(self):
        delete = self.button("Delete")
        delete.set_sensitive(False)
        bold = self.keep("Bold", Gtk.ToggleButton(label="Bold"))
        bold.connect("toggled", lambda w: diary(toggled="Bold", on=w.get_active()))
        power = self.keep("Power", self.named(Gtk.Switch(), "Power"))
        power.connect("notify::active", lambda w, _: diary(toggled="Power", on=w.get_active()))
        link = Gtk.LinkButton.new_with_label("about:blank", "Help page")
        link.connect("activate-link", lambda _: diary(clicked="Help page") or True)
        return self.row(
            self.button("Save"), delete, self.button("Ask\u2026", self.ask), bold, power, link, Gtk.Label(label="Plain words")
        )

    def choices(self):
        left, right = self.radios("Left", "Right")
        locked = Gtk.CheckButton(label="Locked", sensitive=False)
        boxes = (("Wrap", Gtk.CheckButton(label="Wrap")), ("Left", left), ("Right", right), ("Locked", locked))
        for name, widget in boxes:
            widget.connect("toggled", lambda w, n=name: diary(toggled=n, on=w.get_active()))
            self.keep(name, widget)
        more = Gtk.Expander(label="More")
        self.fill(more, Gtk.Label(label="Inside"))
        more.connect("notify::expanded", lambda w, _: diary(expanded="More", on=w.get_expanded()))
        return self.row(*(widget for _, widget in boxes), more)

    def form(self):
        fields = (
            ("Name", Gtk.Entry(text="Ada", width_chars=10)),
            ("Fixed", Gtk.Entry(text="fixed", width_chars=6, sensitive=False)),
            ("Shown", Gtk.Entry(text="shown", width_chars=6, editable=False)),
            ("Secret", self.password("old")),
        )
        for name, entry in fields:
            entry.connect("changed", lambda w, n=name: act_scene.changed(n, w.get_text()))
            entry.connect("activate", lambda _, n=name: diary(entered=n))
            self.keep(name, self.named(entry, name))
        age = self.keep("Age", self.named(Gtk.SpinButton.new_with_range(0, 130, 5), "Age"))
        age.set_value(35)
        volume = self.named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "Volume")
        volume.set_value(25)
        volume.set_size_request(80, -1)
        for name, widget in (("Age", age), ("Volume", volume)):
            widget.connect("value-changed", lambda w, n=name: diary(value=n, **{"is": w.get_value()}))
        colour = self.keep("Colour", self.named(Gtk.ComboBoxText(), "Colour"))
        for word in ("Red", "Green", "Blue"):
            colour.append_text(word)
        colour.set_active(0)
        colour.connect("changed", lambda w: diary(selected=w.get_active_text()))
        return self.row(*(entry for _, entry in fields), age, self.keep("Volume", volume), colour)

    def pages(self):
        book = self.book = Gtk.Notebook()
        for name in ("General", "Details"):
            view = self.named(Gtk.TextView(), "Notes " + name)
            view.get_buffer().set_text("one two")
            view.get_buffer().connect("changed", lambda b, n=name: diary(text="Notes " + n, value=b.props.text))
            self.keep("Notes " + name, view)
            book.append_page(view, Gtk.Label(label=name))
        # One that a reset took away loses its pages a while later, and "selects" each that is left.
        book.connect("switch-page", lambda b, page, _: b is self.book and diary(selected=b.get_tab_label_text(page)))
        return book

    def list(self):
        self.items = self.named(Gtk.ListBox(activate_on_single_click=False), "Items")
        for n in range(1, 5):
            self.put(self.items, Gtk.Label(label="Item %d" % n))
        self.items.connect("row-selected", lambda _, r: r and diary(selected="Item %d" % (r.get_index() + 1)))
        self.items.connect("row-activated", lambda _, r: diary(activated="Item %d" % (r.get_index() + 1)))
        return self.items

    def far(self):
        inside = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for n in range(1, 41):
            self.put(inside, self.button("Far %d" % n))
        pane = self.named(Gtk.ScrolledWindow(min_content_height=70, overlay_scrolling=False), "Far")
        self.fill(pane, inside)
        pane.get_vadjustment().connect("value-changed", lambda a: diary(scrolled=a.get_value()))
        return pane

    def hands(self):
        """What only a mouse can do."""
        self.pad = self.keep("Pad", self.named(Gtk.DrawingArea(width_request=200, height_request=50, **self.PAD), "Pad"))
        self.motions, self.pointer = 0, act_scene.Pointer()
        click = self.controller(self.CLICK, button=0)
        click.connect("pressed", self.pad_pressed)
        drag = self.controller(Gtk.GestureDrag, button=1)
        drag.connect("drag-end", self.pad_released)
        moves = self.controller(Gtk.EventControllerMotion)
        moves.connect("motion", self.pad_motion)
        return self.row(self.pad, *self.goods())

    def pad_pressed(self, click, count, x, y):
        button, state = click.get_current_button(), self.state_of(click)
        held = [name for name, mask in HELD if state & getattr(Gdk.ModifierType, mask)]
        self.motions = 0
        if button == Gdk.BUTTON_SECONDARY:
            diary(menu="Pad")
            self.pad_menu(x, y)
        else:
            act_scene.pad_pressed({1: "left", 2: "middle"}.get(button), count, held)

    def pad_motion(self, _, x, y):
        self.pointer.last = (x, y)
        self.motions += 1

    def pad_released(self, _, dx, dy):
        if self.motions:
            diary(dragged="Pad", by=[round(dx), round(dy)], motions=self.motions)

    def question(self):
        dialog = Gtk.MessageDialog(transient_for=self.window, modal=True, buttons=Gtk.ButtonsType.YES_NO, text="Go on?")
        dialog.set_title(act_scene.DIALOG)
        return dialog

    def answered(self, answer):
        diary(dialog=act_scene.DIALOG, answer=ANSWERS.get(answer, "closed"))

    def commands(self):
        return {
            "enable": lambda a: self.widgets[a].set_sensitive(True),
            "disable": lambda a: self.widgets[a].set_sensitive(False),
            "remove": lambda a: self.remove(self.widgets.pop(a)),
            "focus": lambda a: self.widgets[a].grab_focus(),
            "caret": self.caret,
            "sleep": act_scene.sleep,
            "reset": lambda _: self.fill_window(),
            **self.clipboard_commands(),
        }

    def caret(self, argument):
        name, start, end = argument.split()
        self.widgets[name].select_region(int(start), int(end))

    def run(self, run, end):
        listen(lambda perform, line: GLib.idle_add(lambda: perform(line) and False), self.commands(), end)
        GLib.idle_add(lambda: diary(ready=True) and False)
        run()
