import { parseKeys } from '../../drivers/contract/index.js';
import { keysInText, REDACTED, type CallClass } from '../../policy/index.js';
import type { Target } from '../find-target.js';
import { withoutLetters, writesText } from './struck-keys.js';

/** Who wants to do what: all that is known of a call before anything is looked at. */
export interface Asked {
  tool: string;
  class: CallClass;
  /** `cli`, `mcp:a71f`: what stands before the colon is the surface. */
  caller: string;
  args: Readonly<Record<string, unknown>>;
  /** Keys that its secret presses, once that is known. */
  presses?: readonly string[];
  /** What the mouse met in its target and nobody had judged, once that is known. */
  meets?: readonly Target[];
}

/** What people write is in these; it may be a password as long as nobody knows where it goes. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  ui_type: ['text'],
  ui_set_value: ['value'],
  ui_clipboard: ['text'],
};

export const surfaceOf = (caller: string): string => caller.split(':', 1)[0]!;

/**
 * What people allow they allow to a session: all commands on one desktop are one, each other caller is its own. What
 * stands after a slash listens for that session.
 */
export const sessionOf = (caller: string): string => (surfaceOf(caller) === 'cli' ? 'cli' : caller.split('/', 1)[0]!);

/** As they may be written down and shown to rules. `plain`: what is written goes where everybody can see it. */
export function writtenArgs({ tool, args }: Asked, plain: boolean): Record<string, unknown> {
  if (plain && args.redactInLogs !== true) return { ...args };
  const hidden = (TEXTS[tool] ?? []).filter((key) => args[key] !== undefined);
  const keys = pressedBy({ tool, args });
  return {
    ...args,
    ...Object.fromEntries(hidden.map((key) => [key, REDACTED])),
    ...(keys !== undefined && { keys: withoutLetters(keys) }),
  };
}

/** Keys one after the other are what people write, too. */
export const pressedBy = ({ tool, args }: Pick<Asked, 'tool' | 'args'>): string | undefined =>
  tool === 'ui_key' && typeof args.keys === 'string' ? args.keys : undefined;

export function carriesText(asked: Asked): boolean {
  const keys = pressedBy(asked);
  if (keys !== undefined) return writesText(keys);
  return (TEXTS[asked.tool] ?? []).some((key) => asked.args[key] !== undefined);
}

/** What it presses: keys by name, and Enter or Tab in a text. Undefined for what presses none. */
export function keysOf({ tool, args, presses = [] }: Asked): string[] | undefined {
  if (tool === 'ui_key' && typeof args.keys === 'string') {
    return parseKeys(args.keys).map(({ modifiers, key }) => [...modifiers, key].join('+'));
  }
  const { text = args.secret === undefined ? undefined : '', enter } = args;
  if (tool !== 'ui_type' || typeof text !== 'string') return undefined;
  return [...new Set([...keysInText(text, enter === true), ...presses])];
}
