import { setTimeout as pause } from 'node:timers/promises';
import type { Caret, PatternAct, PatternAnswer, WindowAnswer, WindowChange } from '../../drivers/contract/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import { INTERACTIVE_ROLES, roleInText, TEXT_FIELD_ROLES, type Role, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { takesFocus } from '../authorization/triggered-controls.js';
import { notActionable, OFF_SCREEN } from '../actionability/hit-target.js';

const FOCUS_MS = 400;
const FOCUS_LOOK_MS = 20;
const WRITTEN: ReadonlySet<Role> = new Set([...TEXT_FIELD_ROLES, 'spinbutton', 'terminal']);
const TYPED_INTO: ReadonlySet<Role> = new Set([...WRITTEN, 'treeitem']);
/** A click that is to focus them would do what they are for. */
const PRESSED_BY_CLICKS: ReadonlySet<Role> = new Set([
  ...[...INTERACTIVE_ROLES].filter((role) => !TYPED_INTO.has(role)),
  'scrollbar',
]);

/** What it takes to give something the focus. */
interface Means {
  pattern(target: Target, act: PatternAct): Promise<PatternAnswer | undefined>;
  click(target: Target): Promise<void>;
  window(id: string, change: WindowChange): Promise<WindowAnswer>;
  settled(window: WindowInfo | undefined, step: () => Promise<void>): Promise<void>;
}

/** Who has the keys, and how one gets them. */
export class FocusController {
  /** For that it was clicked, or nobody knows whether it was. */
  pressed = false;

  constructor(
    private readonly desktop: CallView,
    private readonly deadline: Deadline,
    private readonly means: Means,
  ) {}

  /** The keys go to it, or to something inside it. */
  async has({ element, window }: Target): Promise<boolean> {
    const { driver } = this.desktop;
    const found = await driver.focused?.({ deadline: this.deadline });
    return found?.window === window.id && found.path.some(({ id }) => id === element.id);
  }

  /**
   * `keepCaret`: who gets the focus may select all that is in it, and a click puts the caret elsewhere. `only`: it is all
   * that was asked for, and a click on an item would choose it.
   */
  async ensureFocus(target: Target, { keepCaret = false, only = false }): Promise<'had' | 'given' | 'clicked'> {
    const caret = keepCaret ? await this.caretOf(target) : undefined;
    const how = await this.bring(target, only);
    if (caret && how !== 'had') await this.putCaret(target, caret);
    return how;
  }

  /** Its window first, then the element itself, by pattern where that works. */
  private async bring(target: Target, only: boolean): Promise<'had' | 'given' | 'clicked'> {
    const { means } = this;
    if (!target.window.active) await this.activate(target.window);
    if (await this.has(target)) return 'had';
    if ((await means.pattern(target, { kind: 'focus' })) && (await this.soon(() => this.has(target)))) return 'given';
    const { role, states } = target.element;
    // What should take the focus by itself was not judged as something that is clicked.
    const unjudged = only && !WRITTEN.has(role) && takesFocus(target.element);
    if (PRESSED_BY_CLICKS.has(role) || unjudged)
      throw states.offscreen ? notActionable(target, OFF_SCREEN) : noFocus(target);
    // GTK 4 drops what keys select before it has done with the click.
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
      hint: 'see what holds the focus: ui_describe focused.',
    });
  }

  private async caretOf({ element }: Target): Promise<Caret | undefined> {
    if (!TEXT_FIELD_ROLES.has(element.role)) return undefined;
    return this.desktop.driver.caret?.(element.id, { deadline: this.deadline });
  }

  private async putCaret(target: Target, { start, end }: Caret): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      const now = await this.caretOf(target);
      return now?.start === start && now.end === end;
    };
    if (await isThere()) return;
    if (await this.means.pattern(target, { kind: 'setCaret', start, end })) await this.soon(isThere);
  }

  /** Apps say when they have done it, not when it is so. */
  private async soon(holds: () => Promise<boolean>): Promise<boolean> {
    const end = this.deadline.atMost(FOCUS_MS);
    for (;;) {
      if (await holds()) return true;
      if (end.over) return false;
      await pause(FOCUS_LOOK_MS);
    }
  }
}

function noFocus({ element }: Target): DesktopError {
  const what = `${element.ref} ${roleInText(element.role)} gets the focus by a click only, and a click would do more than that.`;
  return new DesktopError('pattern_unsupported', what, {
    retry: 'no',
    hint: 'go there with ui_key Tab from something before it.',
  });
}
