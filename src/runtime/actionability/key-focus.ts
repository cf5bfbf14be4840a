import { type Chord, requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError, hasTrait } from '../../shared/index.js';
import {
  describeElement,
  type Element,
  ITEM_ROLES,
  type Node,
  quote,
  type Role,
  roleInText,
  TEXT_FIELD_ROLES,
  type WindowInfo,
} from '../../tree/index.js';
import type { Target } from '../locate/target.js';
import { PlanOutdatedError } from '../request/act-errors.js';
import type { CallView } from '../visibility/call-view.js';
import { requireActiveWindow, requireFocus } from './keyboard-focus.js';

const FOCUS_KEYS = /^(Tab|F6|F10|Menu|Alt|Meta)$/;
const ARROW_KEYS = /^(KP_)?(Up|Down|Left|Right|Home|End|PageUp|PageDown)$/;
const PRESS_KEYS = /^(Enter|KP_Enter|Space)$/;
/** The window handles these, whatever has the focus. */
const WINDOW_KEYS = /^(Escape|F\d{1,2})$/;
/** A letter moves to another item in these, and Enter or Space opens them. */
const OPENED: ReadonlySet<Role> = new Set(['combobox', 'menubar', 'menu', 'menuitem']);
const LISTS: ReadonlySet<Role> = new Set([...ITEM_ROLES, ...OPENED, 'list', 'listbox', 'tree']);
/** Their names follow their content, which keys change. */
const NAMED_BY_CONTENT: ReadonlySet<Role> = new Set([
  ...TEXT_FIELD_ROLES,
  ...['cell', 'combobox', 'dialog', 'document', 'popup', 'slider', 'spinbutton', 'terminal', 'window'],
] as Role[]);

/**
 * Whether pressing the key takes the focus, or the current item, elsewhere by itself. After any other key the focus must
 * be where it was: policy has decided on that element. An element that is unknown counts as one that such keys leave.
 */
function mayMoveFocus({ key, modifiers }: Chord, focus: Pick<Node, 'role' | 'states' | 'cell'> | undefined) {
  if (FOCUS_KEYS.test(key) || modifiers.includes('alt') || modifiers.includes('meta')) return true;
  if (!focus) return ARROW_KEYS.test(key);
  const isText = TEXT_FIELD_ROLES.has(focus.role);
  if (ARROW_KEYS.test(key)) return !isText;
  // Typing in a cell opens its editor, and Enter goes on to the next cell.
  if (focus.cell?.address !== undefined || focus.role === 'sheet') return true;
  if (PRESS_KEYS.test(key)) return OPENED.has(focus.role) || (!isText && focus.states.expanded !== undefined);
  return [...key].length === 1 && LISTS.has(focus.role) && !focus.states.editable;
}

/**
 * The check before each of several keys: the window that policy decided on is active, and the element that it decided
 * on has the focus and its name. If a key before has moved the focus, as Tab does, the element that has it then must
 * keep it for the keys after.
 */
export class KeyFocus {
  /** What has the focus, as far as the app exposes it. */
  private has: Node | undefined;
  /** The element that policy decided on, until a key may have moved the focus away from it. */
  private decided: Element | undefined;
  /** The app did not report what has the focus. */
  private isAssumed = false;

  constructor(
    private readonly desktop: CallView,
    private readonly window: WindowInfo,
    /** The element that the keys are for; `lands` if the call named none and policy evaluated the focused one. */
    private readonly keysFor: { target?: Target; lands?: Target },
    private readonly chords: readonly Chord[],
    private readonly deadline: Deadline,
  ) {}

  async check(pressed: number): Promise<void> {
    const { desktop, window, deadline, chords } = this;
    await requireActiveWindow(desktop, window, pressed > 0, deadline);
    if (pressed === 0) return this.begin();
    const [before, next] = [chords[pressed - 1]!, chords[pressed]!];
    if (mayMoveFocus(before, this.has)) {
      this.decided = undefined;
      // Which element that is matters only if it must keep the focus.
      const matters = pressed + 1 < chords.length && !mayMoveFocus(next, undefined);
      this.has = matters ? await this.focused() : undefined;
    } else if (!WINDOW_KEYS.test(next.key)) {
      if (this.has) this.has = await this.requireSame(this.has);
      // An app may report the focus for a container of the element only.
      if (this.decided && this.decided.id !== this.has?.id) await this.requireDecided(this.decided);
    }
  }

  /**
   * After all keys: an app may handle a key after it has answered the check for the next one (seen in Qt 5.15 on a busy
   * machine). Then the later key has pressed what the element had become, and the act must not be reported as done.
   */
  async confirm(): Promise<void> {
    const { chords, decided } = this;
    if (!decided || !chords.slice(0, -1).some(({ key }) => PRESS_KEYS.test(key))) return;
    const now = await this.readAgain(decided);
    if (!now) return;
    try {
      this.requireName(decided, now);
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      const sent = `${chords.length} of ${chords.length} keys were pressed`;
      throw new DesktopError('target_changed', `${error.message.replace(/\.$/, '')}; ${sent}.`, {
        ...{ delivered: 'yes', retry: 'no', hint: error.hint, details: { pressed: chords.length } },
      });
    }
  }

  private async begin(): Promise<void> {
    const { desktop, deadline, chords } = this;
    const { target, lands } = this.keysFor;
    if (target) await requireFocus(desktop, target, deadline);
    if (chords.length === 1 && !lands) return;
    const has = await this.focused();
    // Many elements never report the focus, and Qt reports it late: then the element that policy decided on counts.
    const decided = (this.decided = (target ?? lands)?.element);
    this.isAssumed = has === undefined;
    // The tree that the driver keeps may be older than the app: the name must be the one that policy decided on.
    const now = has && ((await this.readAgain(has)) ?? has);
    this.has = now && now.id === decided?.id ? this.requireName(decided, now) : (now ?? decided);
    if (!lands || !has || has.id === lands.element.id) return;
    const was = describeElement({ role: lands.element.role, name: lands.element.name });
    throw new PlanOutdatedError(`The focus has left ${was}; ${describeNode(has)} has it.`, {
      hint: 'Run ui_describe focused to see what has the focus.',
    });
  }

  private async focused(): Promise<Node | undefined> {
    return (await this.pathToFocus()).at(-1);
  }

  /** Empty if only the window is known to have it. */
  private async pathToFocus(): Promise<readonly Node[]> {
    const { path = [] } = (await this.desktop.driver.focused?.({ deadline: this.deadline })) ?? {};
    return path.length > 1 ? path : [];
  }

  private async requireSame(was: Node): Promise<Node> {
    const now = await this.readAgain(was);
    // Qt reports the current item of a list as focused, wherever the focus is.
    if (!now?.states.focused || ITEM_ROLES.has(was.role) || was.role === 'cell') {
      const path = await this.pathToFocus();
      const has = path.at(-1);
      const mayHave = this.isAssumed && (!has || path.some(({ id }) => id === was.id));
      if (mayHave && now) return this.requireName(was, now);
      const where = has && has.id !== was.id ? `${describeNode(has)} has it` : 'what has it is unknown';
      if (has?.id !== was.id) throw focusMoved(`The focus has left ${describeNode(was)}; ${where}`);
    }
    return this.requireName(was, now ?? was);
  }

  private async requireDecided(decided: Element): Promise<void> {
    const now = await this.readAgain(decided);
    if (!now) throw focusMoved(`${describeNode(decided)} is gone`);
    this.requireName(decided, now);
  }

  private requireName(was: Node, named: Node): Node {
    if (named.name === was.name || NAMED_BY_CONTENT.has(was.role)) return named;
    const called = (name?: string): string => (name ? `called ${quote(name)}` : 'without a name');
    const role = roleInText(was.role);
    throw focusMoved(`The focused ${role} was ${called(was.name)} and is ${called(named.name)} now`);
  }

  private async readAgain({ id }: Node): Promise<Node | undefined> {
    const read = requireCapability(this.desktop.driver, 'read');
    try {
      return (await read({ element: id }, { deadline: this.deadline, depth: 0, fresh: true })).root;
    } catch (error) {
      if (hasTrait(error, 'targetLost')) return undefined;
      throw error;
    }
  }
}

const describeNode = ({ role, name }: Node): string => describeElement({ role, name });

function focusMoved(message: string): DesktopError {
  return new DesktopError('target_changed', `${message}.`, {
    retry: 'no',
    hint: 'Run ui_describe focused to see what has the focus now.',
  });
}
