import { accessibleName, type Element, type WindowInfo } from '../../tree/index.js';
import { firstWords, normaliseLabel } from './text-match.js';

/** Where an element is; absent only in tests and for what is nowhere. */
export interface Around {
  window?: WindowInfo;
  /** It, or what it is in, is not shown by its app. */
  hidden?: boolean;
  /** Items without a name are asked by their first words. */
  byFirstWords?: boolean;
}

interface TextPredicate {
  /** Labels are compared as people read them, literals byte for byte. */
  compare: 'label' | 'literal';
  /** What the element says under this key; a comparison holds when it holds for one of them. */
  texts(element: Element, around: Around, wanted: string): readonly (string | undefined)[];
  /** What `=` means where it is not plainly the whole text. */
  equal?: (text: string, wanted: string) => boolean;
  /** Belongs to the window, so that a step of nothing else means the window itself. */
  ofWindow?: boolean;
}

interface StatePredicate {
  compare: 'state';
  values: readonly (boolean | 'mixed')[];
  /** undefined: this element cannot have the state. */
  state(element: Element, around?: Around): boolean | 'mixed' | undefined;
}

const TRUE_FALSE = [true, false] as const;

/** Every key of a selector: how it is written, what is compared, and how. A new key is one entry here. */
export const PREDICATES = {
  role: { compare: 'label', texts: (element) => [element.role] },
  name: {
    compare: 'label',
    texts: (element, { byFirstWords }) => [accessibleName(element) || (byFirstWords ? firstWords(element) : '')],
  },
  text: { compare: 'label', texts: (element) => [element.name, textOfValue(element)] },
  description: { compare: 'label', texts: (element) => [element.description ?? ''] },
  window: { compare: 'label', ofWindow: true, texts: (_, { window }) => [window?.title] },
  app: { compare: 'label', ofWindow: true, texts: (_, { window }) => [window?.app] },
  process: { compare: 'literal', ofWindow: true, texts: (_, { window }, wanted) => [processOf(window, wanted)] },
  value: { compare: 'literal', texts: (element) => [textOfValue(element)] },
  id: { compare: 'literal', texts: (element) => [element.id] },
  automationId: { compare: 'literal', texts: ({ platformIds }) => [platformIds.automationId ?? platformIds.axId] },
  runtimeId: { compare: 'literal', texts: ({ platformIds }) => [platformIds.runtimeId] },
  legacyId: { compare: 'literal', texts: ({ platformIds }) => [platformIds.legacyId] },
  className: { compare: 'literal', equal: isClass, texts: ({ platformIds }) => [platformIds.className] },
  sapId: { compare: 'literal', equal: isSapId, texts: ({ platformIds }) => [platformIds.sapId] },
  enabled: { compare: 'state', values: TRUE_FALSE, state: ({ states }) => states.enabled },
  visible: { compare: 'state', values: TRUE_FALSE, state: ({ states }, around) => states.visible && !around?.hidden },
  // Drivers say `focused` of one element only; what could have the focus and has it not is false.
  focused: {
    compare: 'state',
    values: TRUE_FALSE,
    state: ({ states }) => states.focused ?? (states.focusable ? false : undefined),
  },
  // A toggle button is pressed rather than checked; a selector has one word for both.
  checked: {
    compare: 'state',
    values: [true, false, 'mixed'],
    state: ({ states }) => states.checked ?? states.pressed,
  },
  selected: { compare: 'state', values: TRUE_FALSE, state: ({ states }) => states.selected },
  expanded: { compare: 'state', values: TRUE_FALSE, state: ({ states }) => states.expanded },
  editable: {
    compare: 'state',
    values: TRUE_FALSE,
    state: ({ states }) => states.editable ?? (states.readonly ? false : undefined),
  },
  offscreen: { compare: 'state', values: TRUE_FALSE, state: ({ states }) => states.offscreen ?? false },
} satisfies Record<string, TextPredicate | StatePredicate>;

type Predicates = typeof PREDICATES;
export type Key = keyof Predicates;
export type StateKey = { [K in Key]: Predicates[K]['compare'] extends 'state' ? K : never }[Key];
export type TextKey = Exclude<Key, StateKey>;

const BY_WORD = new Map(Object.keys(PREDICATES).map((key) => [key.toLowerCase(), key as Key]));

export const KEYS: readonly Key[] = [...BY_WORD.values()];

/** Keys ignore case. */
export function keyNamed(word: string): Key | undefined {
  return BY_WORD.get(word.toLowerCase());
}

export function textPredicate(key: TextKey): TextPredicate {
  return PREDICATES[key];
}

/** A label of nothing that can be seen is an empty one. */
export function isEmptyText(key: TextKey, text: string): boolean {
  return text === '' || (textPredicate(key).compare === 'label' && normaliseLabel(text) === '');
}

export function statePredicate(key: StateKey): StatePredicate {
  return PREDICATES[key];
}

export function isStateKey(key: Key): key is StateKey {
  return PREDICATES[key].compare === 'state';
}

/** A password's value never arrives here. */
function textOfValue({ value }: Element): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** All digits is a process number, anything else the file name of the program. */
function processOf(window: WindowInfo | undefined, wanted: string): string | undefined {
  if (/^\d+$/.test(wanted)) return window?.pid === undefined ? undefined : String(window.pid);
  return window?.program?.replace(/^.*[/\\]/s, '');
}

/** The whole class name, or one word of it, as on web pages. */
function isClass(text: string, wanted: string): boolean {
  return text === wanted || text.split(/\s+/).includes(wanted);
}

/** `con` and `ses` without an index fit any; an id that does not begin at the top fits the end. */
function isSapId(text: string, wanted: string): boolean {
  const parts = text.split('/').filter(Boolean);
  const asked = wanted.split('/').filter(Boolean);
  if (asked.length === 0 || asked.length > parts.length) return false;
  if (asked[0] === 'app' && asked.length !== parts.length) return false;
  return asked.every((part, at) => {
    const there = parts[parts.length - asked.length + at]!;
    return there === part || ((part === 'con' || part === 'ses') && there.replace(/\[\d+\]$/, '') === part);
  });
}
