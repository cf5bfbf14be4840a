import type { DriverEvent } from '../../drivers/contract/index.js';
import { hiddenAmong, type WindowRules } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Box, WindowNode } from '../../tree/index.js';

/**
 * Windows that policy hides are not there: in lists, trees, events and pictures. A title may change at any moment, so
 * whoever has looked asks afterwards whether something of it is hidden by now.
 */
export class Veil {
  /** How often something that was shown before was found to be hidden. */
  private turned = 0;
  private hidden = new Map<string, WindowNode>();
  private readonly shown = new Set<string>();

  constructor(private readonly rules: () => WindowRules | undefined) {}

  /** Those that may be seen. What belongs to a hidden one is hidden with it. */
  sift(windows: readonly WindowNode[]): WindowNode[] {
    const rules = this.rules();
    if (!rules) return [...windows];
    const ids = hiddenAmong(windows.map(listed), rules);
    for (const id of ids) {
      // It is hidden from now on; whoever saw it before must not keep what they saw.
      if (this.shown.delete(id)) this.turned += 1;
    }
    this.hidden = new Map(windows.filter(({ id }) => ids.has(id)).map((window) => [window.id, window]));
    const seen = windows.filter(({ id }) => !ids.has(id));
    this.shown.clear();
    for (const { id } of seen) this.shown.add(id);
    return seen;
  }

  get count(): number {
    return this.hidden.size;
  }

  hides(window: string): boolean {
    return this.hidden.has(window);
  }

  /** Has the keys, and nobody may know what it is. */
  get hidesActive(): boolean {
    return [...this.hidden.values()].some(({ active }) => active);
  }

  /** Where hidden windows are on the screen, whether others cover them or not. */
  get boxes(): Box[] {
    return [...this.hidden.values()].flatMap(({ bounds, visible, minimised }) =>
      bounds && visible && !minimised ? [bounds] : [],
    );
  }

  /** Compare it before and after a look: otherwise means that what was seen may not be told. */
  get state(): number {
    return this.turned;
  }

  /** News of what may not be seen. A title tells by itself, also of a window that no list had yet. */
  silences(event: DriverEvent): boolean {
    const rules = this.rules();
    if (!rules) return false;
    if (event.type === 'window' && event.title !== undefined) {
      const facts = { title: event.title, appName: event.app ?? null, program: null };
      if (rules.hidden(facts)?.match === 'yes') {
        if (this.shown.delete(event.window)) this.turned += 1;
        return true;
      }
    }
    if (event.window !== undefined) return this.hidden.has(event.window);
    return [...this.hidden.values()].some(({ pid }) => pid !== undefined && pid === event.pid);
  }
}

const listed = ({ id, title, app, program, pid, of, role }: WindowNode) => ({
  ...{ id, title, appName: app, belongs: role !== 'window' },
  ...(program !== undefined && { program }),
  ...(pid !== undefined && { pid }),
  ...(of !== undefined && { of }),
});

export function behindVeil(what: string): DesktopError {
  return new DesktopError('policy_denied', `${what} is in a window that the policy hides.`, {
    retry: 'no',
    hint: 'work in another window, or ask a person to do this.',
    details: { rule: 'windows/blocked' },
  });
}

/** For whoever finds nothing: that there is more, and no word of what it is. */
export const moreHidden = (count: number): string =>
  count === 0 ? '' : ` policy hides ${count === 1 ? '1 window' : `${count} windows`}.`;
