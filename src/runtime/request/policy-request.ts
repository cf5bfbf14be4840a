import { type Chord, parseKeys } from '../../drivers/contract/index.js';
import { type CallClass, keysInText, type PolicyRequest, REDACTED, type TargetFacts } from '../../policy/index.js';
import { DesktopError, WHOLE } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';

/** Who wants to do what: all that is known of a call before anything is looked at. */
export interface CallRequest {
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
export function loggableArgs({ tool, args }: CallRequest, plain: boolean): Record<string, unknown> {
  if (plain && args.redactInLogs !== true) return { ...args };
  const hidden = (TEXTS[tool] ?? []).filter((key) => args[key] !== undefined);
  const keys = keystrokes({ tool, args });
  return {
    ...args,
    ...Object.fromEntries(hidden.map((key) => [key, REDACTED])),
    ...(keys !== undefined && { keys: withoutLetters(keys) }),
  };
}

/** Keys one after the other are what people write, too. */
export const keystrokes = ({ tool, args }: Pick<CallRequest, 'tool' | 'args'>): string | undefined =>
  tool === 'ui_key' && typeof args.keys === 'string' ? args.keys : undefined;

export function carriesText(request: CallRequest): boolean {
  const keys = keystrokes(request);
  if (keys !== undefined) return writesText(keys);
  return (TEXTS[request.tool] ?? []).some((key) => request.args[key] !== undefined);
}

/** What it presses: keys by name, and Enter or Tab in a text. Undefined for what presses none. */
export function keysOf({ tool, args, presses = [] }: CallRequest): string[] | undefined {
  if (tool === 'ui_key' && typeof args.keys === 'string') {
    return parseKeys(args.keys).map(({ modifiers, key }) => [...modifiers, key].join('+'));
  }
  const { text = args.secret === undefined ? undefined : '', enter } = args;
  if (tool !== 'ui_type' || typeof text !== 'string') return undefined;
  return [...new Set([...keysInText(text, enter === true), ...presses])];
}

/** What is known besides the call itself. */
interface Known {
  desktop: PolicyRequest['desktop'];
  /** A person has enabled the session. */
  enabled?: boolean;
  /** Absent: not found yet. */
  target?: TargetFacts;
}

/** A call in the words that rules are written in. */
export function policyRequest(request: CallRequest, { desktop, enabled = false, target }: Known): PolicyRequest {
  const { tool, caller } = request;
  const keys = keysOf(request);
  // What is typed is not known as long as it may go into a password field.
  const known = target !== undefined || !carriesText(request);
  return {
    ...{ tool, class: classOf(request), caller: surfaceOf(caller), desktop, enabled },
    ...(known && { args: loggableArgs(request, target !== undefined && !target.secure) }),
    ...(keys && { keys }),
    ...(target && { target }),
  };
}

/** To read what a person has copied, from whatever window, is no less than a picture. */
function classOf({ tool, class: kind, args }: CallRequest): PolicyRequest['class'] {
  return tool === 'ui_clipboard' && args.text === undefined ? 'capture' : kind;
}

/** What is known of a target, for rules and for the log. Found, but without a place: a start, the clipboard. */
export function targetFacts({ target: found, window, start, lands }: ActionPlan): TargetFacts {
  const where = found?.window ?? window;
  const unseen = lands && !lands.target;
  const target = unseen ? undefined : (found ?? lands?.target);
  const app = start?.program ?? where?.program;
  return {
    ...(app !== undefined && { app }),
    ...(start && { runs: start.runs, installed: start.installed }),
    ...(where && { appName: where.app, window: where.title }),
    ...(where?.[WHOLE] !== undefined && { [WHOLE]: where[WHOLE] }),
    ...(unseen && { unseen }),
    ...(target && {
      role: target.element.role,
      ...(target.element.name !== undefined && { name: target.element.name }),
      ...(target.element.description !== undefined && { description: target.element.description }),
      ...(target.element.states.secret && { secure: true }),
      method: target.how ?? 'id',
      confidence: target.confidence ?? 1,
    }),
  };
}

/** Keys with a name that write a character all the same. */
const WRITES: Readonly<Record<string, string>> = {
  ...{ Space: ' ', KP_Add: '+', KP_Subtract: '-', KP_Multiply: '*', KP_Divide: '/', KP_Decimal: '.', KP_Equal: '=' },
  ...Object.fromEntries([...'0123456789'].map((digit) => [`KP_${digit}`, digit])),
};

/** What a key writes where text goes; undefined for what commands: names, and all with Ctrl, Alt or Meta. */
function characterOf({ key, modifiers }: Chord): string | undefined {
  if (modifiers.some((modifier) => modifier !== 'shift')) return undefined;
  return [...key].length === 1 ? key : WRITES[key];
}

/** The list of keys in the place of which `keys` stand; undefined when they name none. */
function chordsOf(keys: string): Chord[] | undefined {
  try {
    return parseKeys(keys);
  } catch (error) {
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** Whether something may be written with them: one that only presses the space bar presses a button. */
export function writesText(keys: string): boolean {
  const written = chordsOf(keys)?.map(characterOf);
  return !written || written.some((character) => character !== undefined && character !== ' ');
}

interface HiddenKeys {
  redacted: true;
  /** Those that write nothing, in their order; `…` where others stood, however many. */
  others: string;
}

/** Keys as they may be written down when nobody knows where they go: without what could be a password. */
export function withoutLetters(keys: string): string | HiddenKeys {
  if (!writesText(keys)) return keys;
  const words = (chordsOf(keys) ?? []).map((chord) =>
    characterOf(chord) === undefined ? [...chord.modifiers, chord.key].join('+') : '…',
  );
  return { redacted: true, others: words.filter((word, at) => word !== '…' || words[at - 1] !== '…').join(' ') };
}

/** What a field that held `before` has got by these keys, as far as that can be told. */
export function typedInto(before: string, keys: string): string {
  let text = before;
  for (const chord of chordsOf(keys) ?? []) {
    const character = characterOf(chord);
    if (character !== undefined) text += character;
    else if (chord.key === 'Backspace' && chord.modifiers.length === 0) text = [...text].slice(0, -1).join('');
    // The caret went elsewhere, or the field did.
    else text = '';
  }
  return text;
}

/** They open menus, where Undo is too. */
const OPENS_MENU = /^(F\d{1,2}|Menu|Alt|Meta)$/;

/** Whether they may take an earlier change back and go on with what is there then. Of one alone it is seen what it did. */
export function mayUndo(keys: string): boolean {
  const chords = chordsOf(keys) ?? [];
  const commands = ({ key, modifiers }: Chord): boolean =>
    OPENS_MENU.test(key) || modifiers.some((modifier) => modifier !== 'shift');
  return chords.length > 1 && chords.some(commands);
}
