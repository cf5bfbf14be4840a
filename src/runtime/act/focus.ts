import { setTimeout as pause } from 'node:timers/promises';
import type { Caret, PatternAct, PatternAnswer, WindowAnswer, WindowChange } from '../../drivers/contract/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import { INTERACTIVE_ROLES, roleInText, TEXT_FIELD_ROLES, type Role, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { takesFocus } from '../authorization/triggered-controls.js';
import { notActionable, OFF_SCREEN } from '../actionability/hit-target.js';

const FOCUS_MS = 400;
const FOCUS_POLL_MS = 20;
const WRITTEN: ReadonlySet<Role> = new Set([...TEXT_FIELD_ROLES, 'spinbutton', 'terminal']);
const TYPED_INTO: ReadonlySet<Role> = new Set([...WRITTEN, 'treeitem']);
/** A click on these would activate them, not only focus them. */
const PRESSED_BY_CLICKS: ReadonlySet<Role> = new Set([
  ...[...INTERACTIVE_ROLES].filter((role) => !TYPED_INTO.has(role)),
  'scrollbar',
]);

/** The operations that focusing needs. */
interface Means {
  pattern(target: Target, act: PatternAct): Promise<PatternAnswer | undefined>;
  click(target: Target): Promise<void>;
  window(id: string, change: WindowChange): Promise<WindowAnswer>;
  settled(window: WindowInfo | undefined, step: () => Promise<void>): Promise<void>;
}

/** Finds out what has the focus, and moves it. */
export class FocusController {
  /** The target was clicked to focus it, or whether it was clicked is unknown. */
  pressed = false;

  constructor(
    private readonly view: CallView,
    private readonly deadline: Deadline,
    private readonly means: Means,
  ) {}

  /** Whether the target, or an element inside it, has the focus. */
  async has({ element, window }: Target): Promise<boolean> {
    const { driver } = this.view;
    const found = await driver.focused?.({ deadline: this.deadline });
    return found?.window === window.id && found.path.some(({ id }) => id === element.id);
  }

  /**
   * `keepCaret`: a field that receives the focus may select its whole text, and a click moves the caret. `only`: the
   * request is only to focus, and a click on an item would choose it.
   */
  async ensureFocus(target: Target, { keepCaret = false, only = false }): Promise<'had' | 'given' | 'clicked'> {
    const caret = keepCaret ? await this.caretOf(target) : undefined;
    const how = await this.bring(target, only);
    if (caret && how !== 'had') await this.putCaret(target, caret);
    return how;
  }

  /** Activates the window, then focuses the element, by pattern if that works. */
  private async bring(target: Target, only: boolean): Promise<'had' | 'given' | 'clicked'> {
    const { means } = this;
    if (!target.window.active) await this.activate(target.window);
    if (await this.has(target)) return 'had';
    if ((await means.pattern(target, { kind: 'focus' })) && (await this.soon(() => this.has(target)))) return 'given';
    const { role, states } = target.element;
    // Policy evaluated a focusable element as focused, not as clicked.
    const notEvaluated = only && !WRITTEN.has(role) && takesFocus(target.element);
    if (PRESSED_BY_CLICKS.has(role) || notEvaluated)
      throw states.offscreen ? notActionable(target, OFF_SCREEN) : noFocus(target);
    // GTK 4 drops a selection made with keys before it has finished handling the click.
    await means.settled(target.window, () => this.click(target));
    await this.soon(() => this.has(target));
    return 'clicked';
  }

  private async click(target: Target): Promise<void> {
    try {
      await this.means.click(target);
      this.pressed = true;
    } catch (error) {
      this.pressed ||= !(error instanceof DesktopError && error.delivered === 'no');
      throw error;
    }
  }

  async activate(window: WindowInfo): Promise<void> {
    const { window: now } = await this.means.window(window.id, { action: 'focus' });
    if (now?.active) return;
    throw new DesktopError('not_ready', `${window.ref} did not become the active window.`, {
      hint: 'Run ui_describe focused to see what has the focus.',
    });
  }

  private async caretOf({ element }: Target): Promise<Caret | undefined> {
    if (!TEXT_FIELD_ROLES.has(element.role)) return undefined;
    return this.view.driver.caret?.(element.id, { deadline: this.deadline });
  }

  private async putCaret(target: Target, { start, end }: Caret): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      const now = await this.caretOf(target);
      return now?.start === start && now.end === end;
    };
    if (await isThere()) return;
    if (await this.means.pattern(target, { kind: 'setCaret', start, end })) await this.soon(isThere);
  }

  /** Apps confirm the call before its effect is visible, so this polls. */
  private async soon(holds: () => Promise<boolean>): Promise<boolean> {
    const end = this.deadline.atMost(FOCUS_MS);
    for (;;) {
      if (await holds()) return true;
      if (end.over) return false;
      await pause(FOCUS_POLL_MS);
    }
  }
}

function noFocus({ element }: Target): DesktopError {
  const what = `${element.ref} ${roleInText(element.role)} can only be focused by a click, and a click would also activate it.`;
  return new DesktopError('pattern_unsupported', what, {
    retry: 'no',
    hint: 'Use ui_key Tab on an element before it.',
  });
}
