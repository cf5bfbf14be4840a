import { TEXT_FIELD_ROLES, type Role } from '../../tree/index.js';
import type { Chord } from '../contract/index.js';
import type { FakeActions } from './acts.js';
import type { Controls } from './controls.js';
import { walk, type Widget } from './spec.js';
import type { FakeWindow, World } from './world.js';

const FOCUSABLE: ReadonlySet<Role> = new Set<Role>([
  ...TEXT_FIELD_ROLES,
  ...(['button', 'checkbox', 'combobox', 'link', 'listbox', 'radio', 'switch', 'tab', 'togglebutton'] as const),
]);
const PRESSED: ReadonlySet<Role> = new Set(['button', 'checkbox', 'link', 'radio', 'switch', 'togglebutton']);
const OPTIONS: ReadonlySet<Role> = new Set(['option', 'listitem', 'treeitem', 'row']);
const NEXT: ReadonlySet<string> = new Set(['Down', 'Right', 'PageDown']);
const PREVIOUS: ReadonlySet<string> = new Set(['Up', 'Left', 'PageUp']);

/**
 * What keys do in the windows of a fake desktop, as in real toolkits: Enter presses the default button, arrow keys
 * choose in radio groups, lists and tabs, letters choose in lists, Alt with a letter presses a mnemonic. Escape presses
 * Cancel in a dialog.
 */
export class FakeKeyboard {
  constructor(
    private readonly world: World,
    private readonly controls: Controls,
    private readonly acts: FakeActions,
  ) {}

  press({ key, modifiers }: Chord): void {
    const window = this.world.active;
    if (!window || modifiers.includes('meta')) return;
    const name = key.replace(/^KP_(?!\d)/, '');
    const chord = [...modifiers, key].join('+');
    const bound = [...walk(window.root)].find(({ accelerator }) => accelerator === chord);
    if (bound) return this.acts.press(window, bound);
    const own = window.focus?.onKey?.[chord];
    if (own) return own(this.controls);
    if (chord === 'Escape' && window.spec.role === 'dialog') return this.cancel(window);
    const held = modifiers.filter((one) => one !== 'shift');
    if (modifiers.includes('alt')) return this.mnemonic(window, name);
    if (name === 'Tab' && held.length === 0) return this.tab(window, modifiers.includes('shift') ? -1 : 1);
    if (modifiers.includes('ctrl') && /^(PageUp|PageDown|Tab)$/.test(name)) return this.switchTab(window);
    if (modifiers.includes('ctrl') && [...name].length === 1) return;
    const { focus } = window;
    if (!focus) return;
    if (name === 'Enter') return this.enter(window, focus);
    if (name === 'Space') return this.space(window, focus);
    if (NEXT.has(name) || PREVIOUS.has(name) || name === 'Home' || name === 'End')
      return this.arrow(window, focus, name);
    if ([...name].length === 1) this.letter(window, focus, name);
  }

  private cancel(window: FakeWindow): void {
    const button = [...walk(window.root)].find(({ role, name }) => role === 'button' && name === 'Cancel');
    if (button) this.acts.press(window, button);
  }

  private tab(window: FakeWindow, by: 1 | -1): void {
    const order = [...walk(window.root)].filter((one) => FOCUSABLE.has(one.role) && !isHidden(one));
    const at = window.focus ? order.indexOf(window.focus) : -1;
    const next = order.at((at + by + order.length) % Math.max(1, order.length));
    if (next) this.controls.focus(next.id);
  }

  private enter(window: FakeWindow, focus: Widget): void {
    if (isText(focus) && focus.states.multiline) return this.acts.typeInto(focus, '\n');
    if (focus.role === 'button' || focus.role === 'link') return this.acts.press(window, focus);
    if (OPTIONS.has(focus.role)) return this.acts.press(window, focus);
    const form = ancestors(focus).find(({ role }) => role === 'form');
    const inside = [...walk(form ?? window.root)];
    const button = form
      ? inside.find(({ role }) => role === 'button')
      : inside.find(({ role, states }) => role === 'button' && states.default);
    if (button) this.acts.press(window, button);
  }

  private space(window: FakeWindow, focus: Widget): void {
    if (isText(focus)) return this.write(focus, ' ');
    if (PRESSED.has(focus.role) || OPTIONS.has(focus.role)) this.acts.press(window, focus);
  }

  private arrow(window: FakeWindow, focus: Widget, key: string): void {
    if (isText(focus)) {
      // As in GTK.
      if (!focus.states.multiline && (key === 'Up' || key === 'Down')) this.tab(window, key === 'Down' ? 1 : -1);
      return;
    }
    if (focus.role === 'button' || focus.role === 'checkbox') return this.tab(window, PREVIOUS.has(key) ? -1 : 1);
    const choices = choicesOf(focus);
    const now = choices.findIndex(
      (one) => one === focus || one.states.selected === true || one.states.checked === true,
    );
    const at = key === 'Home' ? 0 : key === 'End' ? choices.length - 1 : now + (PREVIOUS.has(key) ? -1 : 1);
    this.choose(window, focus, choices.at(choices.length > 0 ? at % choices.length : 0));
  }

  private letter(window: FakeWindow, focus: Widget, letter: string): void {
    if (isText(focus)) return this.write(focus, letter);
    const first = letter.toLowerCase();
    const choices = focus.role === 'radio' || focus.role === 'tab' ? [] : choicesOf(focus);
    const named = choices.find(({ name = '' }) => name.toLowerCase().startsWith(first));
    if (named) return this.choose(window, focus, named);
    // As in a message box of Qt.
    if (focus.role === 'button') this.mnemonic(window, letter);
  }

  private mnemonic(window: FakeWindow, letter: string): void {
    const one = [...walk(window.root)].find(({ mnemonic }) => mnemonic === letter.toLowerCase());
    if (!one) return;
    if (isText(one) || one.role === 'combobox') this.controls.focus(one.id);
    else this.acts.press(window, one);
  }

  private switchTab(window: FakeWindow): void {
    const tabs = [...walk(window.root)].filter(({ role }) => role === 'tab');
    const at = tabs.findIndex(({ states }) => states.selected);
    const next = tabs[(at + 1) % Math.max(1, tabs.length)];
    if (next) this.choose(window, next, next);
  }

  private choose(window: FakeWindow, focus: Widget, one: Widget | undefined): void {
    if (!one) return;
    this.acts.choose(window, one);
    if (focus.role === 'radio' || focus.role === 'tab' || OPTIONS.has(focus.role)) this.controls.focus(one.id);
  }

  private write(field: Widget, text: string): void {
    if (!field.states.readonly) this.acts.typeInto(field, text);
  }
}

const isText = ({ role }: Widget): boolean => TEXT_FIELD_ROLES.has(role);

function choicesOf(focus: Widget): Widget[] {
  const own = focus.role === 'radio' || focus.role === 'tab' || OPTIONS.has(focus.role);
  const around = own ? (focus.parent?.children ?? []) : [...walk(focus)];
  return around.filter(({ role }) => (own ? role === focus.role : OPTIONS.has(role)));
}

function ancestors({ parent }: Widget): Widget[] {
  return parent ? [parent, ...ancestors(parent)] : [];
}

const isHidden = (one: Widget): boolean => [one, ...ancestors(one)].some(({ hidden }) => hidden === true);
