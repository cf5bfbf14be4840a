import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { doubtFrom } from './changes.js';

/** So long a list that was chosen from may take to go, and so often it is looked for. */
const CLOSES_MS = 600;
const LOOK_MS = 40;

/** What an act took of the desktop's attention besides doing its work; refs of windows. */
export interface Taken {
  /** Has the keys now, and had not before. */
  activated?: string;
  /** A menu or list that opened: pointer and keyboard are its own until it is closed. */
  menu?: string;
}

export function takenBy(before: readonly WindowInfo[], now: readonly WindowInfo[]): Taken {
  const shown = new Set(before.filter(({ visible }) => visible).map(({ id }) => id));
  const active = now.find((window) => window.active);
  const menu = now.find((window) => window.menu && window.visible && !shown.has(window.id));
  const isNew = active && before.find((window) => window.active)?.id !== active.id;
  return { ...(isNew && { activated: active.ref }), ...(menu && { menu: menu.ref }) };
}

export interface Settled {
  windows: readonly WindowInfo[];
  /** Why one cannot tell whether the list is still open; it is not among the windows then. */
  doubt?: string;
}

/** The windows once the list that the act chose from has gone: it is still being closed when the value is there already. */
export async function withListsGone(
  before: readonly WindowInfo[],
  seen: readonly WindowInfo[],
  windows: () => Promise<readonly WindowInfo[]>,
  deadline: Deadline,
): Promise<Settled> {
  let now = seen;
  for (const end = deadline.atMost(CLOSES_MS); ;) {
    const { menu } = takenBy(before, now);
    if (menu === undefined || end.over) return { windows: now };
    await pause(LOOK_MS);
    try {
      now = await windows();
    } catch (error) {
      // The act is done and proved: what is lost is only whether its list has closed, and that is told.
      const doubt = `whether ${menu} has closed is not known: ${doubtFrom(error)}`;
      return { windows: now.filter(({ ref }) => ref !== menu), doubt };
    }
  }
}
