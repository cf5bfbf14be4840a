import { accessibleName, type Element, type WindowInfo } from '../../tree/index.js';
import { firstWords, normaliseLabel } from './text-match.js';

/** Where an element is. Absent only in tests and for elements without a window. */
export interface Around {
  window?: WindowInfo;
  /** The element or an ancestor is hidden by its app. */
  hidden?: boolean;
  /** Items without a name are matched by their first text. */
  byFirstWords?: boolean;
}

interface TextPredicate {
  /** Labels are compared as users read them, literals byte for byte. */
  compare: 'label' | 'literal';
  /** The element's texts for this key; a comparison holds if it holds for one of them. */
  texts(element: Element, around: Around, wanted: string): readonly (string | undefined)[];
  /** What `=` means if it is not equality of the whole text. */
  equal?: (text: string, wanted: string) => boolean;
  /** A property of the window: a step with only such keys means the window itself. */
  ofWindow?: boolean;
}

interface StatePredicate {
  compare: 'state';
  values: readonly (boolean | 'mixed')[];
  /** undefined: this element cannot have the state. */
  state(element: Element, around?: Around): boolean | 'mixed' | undefined;
}

const TRUE_FALSE = [true, false] as const;

/** Every selector key: how it is written, what is compared, and how. A new key is one entry here. */
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
  // Drivers report `focused` only for one element. A focusable element without it counts as false.
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
type Key = keyof Predicates;
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

/** A label without visible characters counts as empty. */
export function isEmptyText(key: TextKey, text: string): boolean {
  return text === '' || (textPredicate(key).compare === 'label' && normaliseLabel(text) === '');
}

export function statePredicate(key: StateKey): StatePredicate {
  return PREDICATES[key];
}

export function isStateKey(key: Key): key is StateKey {
  return PREDICATES[key].compare === 'state';
}

/** The value of a password field never arrives here. */
function textOfValue({ value }: Element): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** Only digits: a process id. Anything else: the file name of the program. */
function processOf(window: WindowInfo | undefined, wanted: string): string | undefined {
  if (/^\d+$/.test(wanted)) return window?.pid === undefined ? undefined : String(window.pid);
  return window?.program?.replace(/^.*[/\\]/s, '');
}

/** The whole class name, or one word of it, as on web pages. */
function isClass(text: string, wanted: string): boolean {
  return text === wanted || text.split(/\s+/).includes(wanted);
}

/** `con` and `ses` without an index match any index; an id that does not start at the top matches the end. */
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
