import type { Intent } from '../../audit/index.js';
import type { DesktopError } from '../../shared/index.js';
import type { Decided } from './governor.js';

const DECISIONS = new WeakMap<DesktopError, Decided>();

/** Remembers what was decided when something was refused, and on which facts: for the log alone. */
export function refusedBy(error: DesktopError, decided: Decided): DesktopError {
  DECISIONS.set(error, decided);
  return error;
}

export const decisionBehind = (error: unknown): Decided | undefined => DECISIONS.get(error as DesktopError);

/** What it was refused for, in the words that rules use. Of a window that nobody may see nothing is written. */
export function refusedTarget({ rule, facts }: Decided): Intent['target'] {
  if (!facts || rule.startsWith('windows/')) return undefined;
  const { app, appName, window, role, name, confidence } = facts;
  const words = {
    ...(app && 'path' in app && { app: app.path }),
    ...(typeof appName === 'string' && { appName }),
    ...(typeof window === 'string' && { window }),
    ...(typeof role === 'string' && { role }),
    ...(typeof name === 'string' && { name }),
    ...(typeof confidence === 'number' && { confidence }),
  };
  return Object.keys(words).length > 0 ? words : undefined;
}
