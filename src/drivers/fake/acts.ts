import { DesktopError } from '../../shared/index.js';
import { TEXT_FIELD_ROLES, type Role } from '../../tree/index.js';
import type { PatternAct, PatternAnswer } from '../contract/index.js';
import type { Controls } from './controls.js';
import { textOf, type Widget } from './spec.js';
import type { FakeWindow, World } from './world.js';

const TICKED: ReadonlySet<Role> = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
const SELECTED: ReadonlySet<Role> = new Set(['tab', 'listitem', 'option', 'row', 'treeitem']);
const PLAIN: ReadonlySet<Role> = new Set(['label', 'text', 'heading', 'image', 'group']);

const GENTLE: ReadonlySet<PatternAct['kind']> = new Set(['focus', 'scrollIntoView']);

/** What the apps of a fake desktop do when one acts on them. Each thing done is a line in the diary. */
export class FakeActs {
  readonly diary: string[] = [];

  constructor(
    private readonly world: World,
    private readonly controls: Controls,
  ) {}

  pattern(element: string, act: PatternAct): PatternAnswer {
    const { window, widget } = this.world.widget(element);
    if (widget.noPattern || PLAIN.has(widget.role)) throw unsupported(act.kind);
    const by = `fake ${act.kind}`;
    if (!isEnabled(widget) && !GENTLE.has(act.kind)) throw disabled();
    if (widget.lies === 'hangs') window.app.hung = true;
    if (widget.lies === 'says yes, does nothing') return { by, said: true };
    this.perform(window, widget, act);
    return { by, said: widget.lies !== 'says no, does it' };
  }

  /** A press of the main button, as its app takes it. */
  press(window: FakeWindow, widget: Widget): void {
    if (widget.lies === 'hangs') window.app.hung = true;
    if (!isEnabled(widget) || widget.lies === 'says yes, does nothing') return;
    if (TEXT_FIELD_ROLES.has(widget.role)) this.controls.focus(widget.id);
    else if (!PLAIN.has(widget.role)) this.perform(window, widget, { kind: 'invoke' });
  }

  /** The button of the mouse is down on it, and not up again. */
  goesDown(widget: Widget): void {
    this.note('press down', widget);
    widget.whenPressed?.(this.controls);
  }

  typeInto(widget: Widget, text: string): void {
    const kept = widget.lies === 'drops characters' ? [...text].filter((_, at) => at % 3 !== 2).join('') : text;
    const all = [...textOf({ ...widget, name: '' }), ...kept].slice(0, widget.maxLength);
    this.write(widget, all.join(''), `type ${JSON.stringify(kept)} into`);
    widget.whenTyped?.(this.controls);
  }

  private perform(window: FakeWindow, widget: Widget, act: PatternAct): void {
    const id = widget.id;
    switch (act.kind) {
      case 'invoke':
      case 'toggle':
        if (act.kind === 'toggle' && !isTicked(widget)) throw unsupported(act.kind);
        this.note(act.kind === 'toggle' ? 'toggle' : 'invoke', widget);
        if (TICKED.has(widget.role)) this.controls.setState(id, 'checked', widget.states.checked !== true);
        else if (widget.role === 'togglebutton') this.controls.setState(id, 'pressed', widget.states.pressed !== true);
        else if (widget.role === 'radio') this.chooseOne(window, widget, 'checked');
        else if (SELECTED.has(widget.role)) this.chooseOne(window, widget, 'selected');
        widget.does?.(this.controls);
        return;
      case 'select':
        if (!SELECTED.has(widget.role) && widget.role !== 'radio') throw unsupported(act.kind);
        this.note('select', widget);
        this.chooseOne(window, widget, widget.role === 'radio' ? 'checked' : 'selected');
        return;
      case 'expand':
      case 'collapse':
        if (widget.states.expanded === undefined) throw unsupported(act.kind);
        this.note(act.kind, widget);
        return this.controls.setState(id, 'expanded', act.kind === 'expand');
      case 'increment':
      case 'decrement': {
        if (typeof widget.value !== 'number') throw unsupported(act.kind);
        const step = (widget.range?.step ?? 1) * (act.kind === 'increment' ? 1 : -1);
        this.note(act.kind, widget);
        return this.controls.setValue(id, within(widget, widget.value + step));
      }
      case 'focus':
        this.note('focus', widget);
        return this.controls.focus(id);
      case 'scrollIntoView':
      case 'contextMenu':
      case 'setCaret':
        throw unsupported(act.kind);
      case 'setText':
        return this.write(widget, act.text, `set ${JSON.stringify(act.text)} in`);
      case 'insertText':
        return this.typeInto(widget, act.text);
      case 'setNumber':
        if (typeof widget.value !== 'number') throw unsupported(act.kind);
        this.note(`set ${act.value} in`, widget);
        return this.controls.setValue(id, within(widget, act.value));
    }
  }

  private write(widget: Widget, text: string, verb: string): void {
    const takes = TEXT_FIELD_ROLES.has(widget.role) || (widget.role === 'combobox' && widget.states.editable);
    if (!takes || widget.states.readonly) throw unsupported('setText');
    const kept = widget.lies === 'drops characters' && verb.startsWith('set') ? text.slice(0, -1) : text;
    this.note(verb, widget);
    if (widget.text !== undefined) widget.text = kept;
    this.controls.setValue(widget.id, kept);
  }

  private chooseOne(window: FakeWindow, widget: Widget, state: 'checked' | 'selected'): void {
    const rivals = (widget.parent ?? window.root).children.filter((other) => other.role === widget.role);
    for (const rival of rivals)
      if (rival !== widget && rival.states[state]) this.controls.setState(rival.id, state, false);
    this.controls.setState(widget.id, state, true);
  }

  private note(verb: string, widget: Widget): void {
    this.diary.push(`${verb} ${widget.role} ${JSON.stringify(widget.name ?? widget.key ?? '')}`);
  }
}

export function isEnabled(widget: Widget): boolean {
  return widget.states.enabled !== false && (!widget.parent || isEnabled(widget.parent));
}

function isTicked({ role }: Widget): boolean {
  return TICKED.has(role) || role === 'togglebutton';
}

function within({ range }: Widget, value: number): number {
  return Math.min(range?.max ?? Infinity, Math.max(range?.min ?? -Infinity, value));
}

function unsupported(kind: string): DesktopError {
  return new DesktopError('pattern_unsupported', `This element offers no ${kind}.`, { retry: 'no' });
}

function disabled(): DesktopError {
  return new DesktopError('not_ready', 'The element is disabled.', { retry: 'after', retryAfter: 'it can be used' });
}
