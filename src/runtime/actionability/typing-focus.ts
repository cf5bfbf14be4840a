import { setTimeout as pause } from 'node:timers/promises';
import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError, hasTrait } from '../../shared/index.js';
import { ITEM_ROLES } from '../../tree/index.js';
import type { Target } from '../locate/target.js';
import type { CallView } from '../visibility/call-view.js';
import { refuseForeignMenu } from './keyboard-focus.js';

/**
 * How long a field may take to report the caret behind the typed characters. Chromium reports what a page did with a key
 * up to 250 ms later, and the focus together with the caret.
 */
const ECHO_MS = 300;
const ECHO_POLL_MS = 4;

/** Confirms, before each chunk of a text, that the target still has the focus. */
export class TypingFocus {
  private readonly characters: readonly string[];
  /** The innermost element that had the focus: the target or an element inside it. */
  private innermost?: string;
  private caret: number | undefined;
  /** How many characters were typed when `caret` was read. */
  private caretAt = 0;

  constructor(
    private readonly desktop: CallView,
    private readonly target: Target,
    text: string,
    private readonly deadline: Deadline,
  ) {
    this.characters = [...text];
  }

  /** `sameWindow`: the driver knows that no other window has received the keyboard since the last check. */
  async has(typed: number, sameWindow: boolean): Promise<boolean> {
    const { desktop, deadline, target } = this;
    const innermost = sameWindow ? this.innermost : undefined;
    const expected = this.caret === undefined ? 0 : this.caret + this.advance(typed);
    // The app answers in order, so the focus is not older than the caret.
    const [caret, focused] = await Promise.all([
      this.readCaret(),
      innermost === undefined ? false : this.isFocused(innermost),
    ]);
    [this.caret, this.caretAt] = [caret, typed];
    if (caret !== undefined && caret < expected) await this.waitForEcho(expected);
    else if (focused) return true;
    if (innermost !== undefined && (await this.isFocused(innermost))) return true;
    await refuseForeignMenu(desktop, target.window, deadline, typed > 0);
    const found = await desktop.driver.focused?.({ deadline });
    const has = found?.window === target.window.id && found.path.some(({ id }) => id === target.element.id);
    this.innermost = has ? found.path.at(-1)!.id : undefined;
    return has;
  }

  /** Some apps process keys later than they confirm them. A field that changes its text is waited for once. */
  private async waitForEcho(expected: number): Promise<void> {
    for (const end = this.deadline.atMost(ECHO_MS); !end.over && (this.caret ?? expected) < expected;) {
      await pause(ECHO_POLL_MS);
      this.caret = await this.readCaret();
    }
  }

  /** A Windows line end is two characters and one key. */
  private advance(typed: number): number {
    const { characters, caretAt } = this;
    return characters
      .slice(caretAt, typed)
      .filter((one, at) => !(one === '\r' && characters[caretAt + at + 1] === '\n')).length;
  }

  private async readCaret(): Promise<number | undefined> {
    const { desktop, target, deadline } = this;
    try {
      return (await desktop.driver.caret?.(target.element.id, { deadline }))?.start;
    } catch (error) {
      // Without a caret there is nothing to wait for. The focus is checked in any case.
      if (error instanceof DesktopError && !deadline.over) return undefined;
      throw error;
    }
  }

  private async isFocused(id: string): Promise<boolean> {
    const read = requireCapability(this.desktop.driver, 'read');
    try {
      const { root } = await read({ element: id }, { deadline: this.deadline, depth: 0, fresh: true });
      // Qt reports the current item of a list as focused, wherever the focus is: only the whole window shows it.
      return root.states.focused === true && !ITEM_ROLES.has(root.role) && root.role !== 'cell';
    } catch (error) {
      if (hasTrait(error, 'targetLost')) return false;
      throw error;
    }
  }
}
