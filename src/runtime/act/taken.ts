import type { WindowInfo } from '../../tree/index.js';

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
