import { DesktopError } from '../../shared/index.js';
import { TEXT_FIELD_ROLES, type Role } from '../../tree/index.js';
import type { Chord, PatternAct, PatternAnswer } from '../contract/index.js';
import type { Controls } from './controls.js';
import { FakeKeyboard } from './keyboard.js';
import { textOf, type Widget } from './spec.js';
import type { FakeWindow, World } from './world.js';

const CHECKABLE: ReadonlySet<Role> = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
const SELECTABLE: ReadonlySet<Role> = new Set(['tab', 'listitem', 'option', 'row', 'treeitem']);
const STATIC: ReadonlySet<Role> = new Set(['label', 'text', 'heading', 'image', 'group']);

const TYPED: Readonly<Record<string, string>> = { ' ': 'Space', '\n': 'Enter', '\t': 'Tab' };

const ALLOWED_WHEN_DISABLED: ReadonlySet<PatternAct['kind']> = new Set(['focus', 'scrollIntoView']);

/** What the apps of a fake desktop do when an act reaches them. Every effect is a line in the diary. */
export class FakeActions {
  readonly diary: string[] = [];
  private readonly keyboard?: FakeKeyboard;

  constructor(
    private readonly world: World,
    private readonly controls: Controls,
    withKeyboard = false,
  ) {
    if (withKeyboard) this.keyboard = new FakeKeyboard(world, controls, this);
  }

  pattern(element: string, act: PatternAct): PatternAnswer {
    const { window, widget } = this.world.widget(element);
    if (widget.noPattern || STATIC.has(widget.role)) throw unsupportedError(act.kind);
    const by = `fake ${act.kind}`;
    if (!isEnabled(widget) && !ALLOWED_WHEN_DISABLED.has(act.kind)) throw disabledError();
    if (widget.lies === 'hangs') window.app.hung = true;
    if (widget.lies === 'says yes, does nothing') return { by, said: true };
    this.perform(window, widget, act);
    return { by, said: widget.lies !== 'says no, does it' };
  }

  /** A click with the main button, as the app handles it. */
  press(window: FakeWindow, widget: Widget): void {
    if (widget.lies === 'hangs') window.app.hung = true;
    if (!isEnabled(widget) || widget.lies === 'says yes, does nothing') return;
    if (TEXT_FIELD_ROLES.has(widget.role)) this.controls.focus(widget.id);
    else if (!STATIC.has(widget.role)) this.perform(window, widget, { kind: 'invoke' });
  }

  /** A key went down and up. */
  key(chord: Chord): void {
    this.diary.push(`key ${[...chord.modifiers, chord.key].join('+')}`);
    this.keyboard?.press(chord);
  }

  /** A part of a text was typed key by key. */
  type(focus: Widget, text: string): void {
    if (!this.keyboard || TEXT_FIELD_ROLES.has(focus.role)) {
      const [first = '', ...lines] = text.split('\n');
      if (!this.keyboard || lines.length === 0 || focus.states.multiline) return this.typeInto(focus, text);
      if (first !== '') this.typeInto(focus, first);
      text = text.slice(first.length);
    }
    for (const key of text) this.keyboard.press({ key: TYPED[key] ?? key, modifiers: [] });
  }

  /** Keys select it. */
  choose(window: FakeWindow, widget: Widget): void {
    if (isEnabled(widget)) this.perform(window, widget, { kind: 'select' });
  }

  /** The mouse button is pressed on it and not yet released. */
  pressDown(widget: Widget): void {
    this.log('press down', widget);
    widget.whenPressed?.(this.controls);
  }

  typeInto(widget: Widget, text: string): void {
    const accepted = widget.lies === 'drops characters' ? [...text].filter((_, at) => at % 3 !== 2).join('') : text;
    const characters = [...textOf({ ...widget, name: '' }), ...accepted].slice(0, widget.maxLength);
    this.write(widget, characters.join(''), `type ${JSON.stringify(accepted)} into`);
    widget.whenTyped?.(this.controls);
  }

  private perform(window: FakeWindow, widget: Widget, act: PatternAct): void {
    const id = widget.id;
    switch (act.kind) {
      case 'invoke':
      case 'toggle':
        if (act.kind === 'toggle' && !isToggleable(widget)) throw unsupportedError(act.kind);
        this.log(act.kind === 'toggle' ? 'toggle' : 'invoke', widget);
        if (CHECKABLE.has(widget.role)) this.controls.setState(id, 'checked', widget.states.checked !== true);
        else if (widget.role === 'togglebutton') this.controls.setState(id, 'pressed', widget.states.pressed !== true);
        else if (widget.role === 'radio') this.selectOnly(window, widget, 'checked');
        else if (SELECTABLE.has(widget.role)) this.selectOnly(window, widget, 'selected');
        widget.does?.(this.controls);
        return;
      case 'select':
        if (!SELECTABLE.has(widget.role) && widget.role !== 'radio') throw unsupportedError(act.kind);
        this.log('select', widget);
        this.selectOnly(window, widget, widget.role === 'radio' ? 'checked' : 'selected');
        return;
      case 'expand':
      case 'collapse':
        if (widget.states.expanded === undefined) throw unsupportedError(act.kind);
        this.log(act.kind, widget);
        return this.controls.setState(id, 'expanded', act.kind === 'expand');
      case 'increment':
      case 'decrement': {
        if (typeof widget.value !== 'number') throw unsupportedError(act.kind);
        const step = (widget.range?.step ?? 1) * (act.kind === 'increment' ? 1 : -1);
        this.log(act.kind, widget);
        return this.controls.setValue(id, clampToRange(widget, widget.value + step));
      }
      case 'focus':
        this.log('focus', widget);
        return this.controls.focus(id);
      case 'scrollIntoView':
      case 'contextMenu':
      case 'setCaret':
        throw unsupportedError(act.kind);
      case 'setText':
        return this.write(widget, act.text, `set ${JSON.stringify(act.text)} in`);
      case 'insertText':
        return this.typeInto(widget, act.text);
      case 'setNumber':
        if (typeof widget.value !== 'number') throw unsupportedError(act.kind);
        this.log(`set ${act.value} in`, widget);
        return this.controls.setValue(id, clampToRange(widget, act.value));
    }
  }

  private write(widget: Widget, text: string, verb: string): void {
    const acceptsText = TEXT_FIELD_ROLES.has(widget.role) || (widget.role === 'combobox' && widget.states.editable);
    if (!acceptsText || widget.states.readonly) throw unsupportedError('setText');
    const accepted = widget.lies === 'drops characters' && verb.startsWith('set') ? text.slice(0, -1) : text;
    this.log(verb, widget);
    if (widget.text !== undefined) widget.text = accepted;
    this.controls.setValue(widget.id, accepted);
  }

  private selectOnly(window: FakeWindow, widget: Widget, state: 'checked' | 'selected'): void {
    const siblings = (widget.parent ?? window.root).children.filter((other) => other.role === widget.role);
    for (const sibling of siblings)
      if (sibling !== widget && sibling.states[state]) this.controls.setState(sibling.id, state, false);
    this.controls.setState(widget.id, state, true);
  }

  private log(verb: string, widget: Widget): void {
    this.diary.push(`${verb} ${widget.role} ${JSON.stringify(widget.name ?? widget.key ?? '')}`);
  }
}

function isEnabled(widget: Widget): boolean {
  return widget.states.enabled !== false && (!widget.parent || isEnabled(widget.parent));
}

function isToggleable({ role }: Widget): boolean {
  return CHECKABLE.has(role) || role === 'togglebutton';
}

function clampToRange({ range }: Widget, value: number): number {
  return Math.min(range?.max ?? Infinity, Math.max(range?.min ?? -Infinity, value));
}

function unsupportedError(kind: string): DesktopError {
  return new DesktopError('pattern_unsupported', `This element offers no ${kind}.`, { retry: 'no' });
}

function disabledError(): DesktopError {
  return new DesktopError('not_ready', 'The element is disabled.', { retry: 'after', retryAfter: 'it can be used' });
}
