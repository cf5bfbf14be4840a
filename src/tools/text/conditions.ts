import { type Answer, type Condition, type WaitOutcome, type Seen, excerpt } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote } from '../../tree/index.js';

/** Names the elements or windows that satisfied a condition; empty when there is nothing to point at. */
function seenText(seen: Seen): string {
  const { element, matches = 0, windows = [], differs = [], parts = [], stableForMs, seenBefore } = seen;
  switch (seen.condition) {
    case 'window':
    case 'windowClosed':
      if (seenBefore === false) return NEVER_THERE;
      return windows.map(({ ref, role, title }) => `${ref} ${role} ${quote(title)}`).join(', ');
    case 'gone':
      return seenBefore === false ? NEVER_THERE : elementText(element);
    case 'count':
      return matches === 1 ? elementText(element) : `${matches} matches`;
    case 'changed':
      return [elementText(element), differs.map((part) => DIFFERENCES[part]).join(', ')].filter(Boolean).join(': ');
    case 'stableMs':
      return stableForMs === undefined ? '' : `no change for ${stableForMs} ms`;
    case 'state':
      return [elementText(element), stateText(seen)].filter(Boolean).join(': ');
    case 'all':
    case 'any':
      return partsText(parts);
    case 'not':
      return parts.map((part) => seenText(part.seen)).join('; ');
    default:
      return matches > 1 ? `${elementText(element)} and ${matches - 1} more` : elementText(element);
  }
}

const NEVER_THERE = 'it did not show before either';

const DIFFERENCES: Readonly<Record<NonNullable<Seen['differs']>[number], string>> = {
  appeared: 'it is there now',
  gone: 'it is gone',
  name: 'another name',
  value: 'another value',
  states: 'other states',
  children: 'something in it changed',
};

function elementText(element: Seen['element']): string {
  if (!element) return '';
  return element.ref === element.window ? element.line : `${element.line} in ${element.window}`;
}

function stateText({ state }: Seen): string {
  if (!state) return '';
  return state.is === null ? `${state.name} is not a state of it` : `${state.name} is ${state.is}`;
}

/** Those that decided are enough. */
function partsText(parts: NonNullable<Seen['parts']>): string {
  const held = parts.filter(({ answer }) => answer === 'satisfied');
  return held
    .map(({ seen }) => seenText(seen))
    .filter((text) => text !== '')
    .join('; ');
}

/** The last state that was seen of a condition that does not hold. */
function lastSeenText(seen: Seen): string {
  const { matches, parts = [], windows = [] } = seen;
  if (parts.length > 0) {
    const wanting = parts.filter(({ answer }) => seen.condition !== 'all' || answer !== 'satisfied');
    const texts = wanting.map((part) => part.reason ?? lastSeenText(part.seen)).filter(Boolean);
    return [...new Set(texts)].join('; ');
  }
  if (seen.condition === 'window' && windows.length === 0) return 'no such window';
  if (seen.condition === 'text' && !seen.element) return 'the text is nowhere';
  if (seen.condition === 'changed' && matches === 1) return `${elementText(seen.element)}, as at the start`;
  if (seen.condition === 'focused' && matches === 1) return `the focus is not in ${elementText(seen.element)}`;
  if (matches === 0) return 'nothing matches';
  return seenText(seen);
}

/** `ok: satisfied after 1.2 s, e22 button "Save" in w3` */
export function satisfiedText({ seen }: Pick<WaitOutcome, 'seen'>, when: string): string {
  const what = seenText(seen);
  return `ok: satisfied${when}${what === '' ? '' : `, ${what}`}`;
}

const VERBS: Readonly<Record<Exclude<Answer, 'satisfied'>, string>> = {
  unsatisfied: 'does not hold',
  unknown: 'is not known',
};

/** The error of a condition that does not hold, or of which it is not known. */
export function conditionError(
  code: 'timeout' | 'verify_failed',
  condition: Condition,
  outcome: WaitOutcome,
  when: string,
): DesktopError {
  const { answer, seen, reason, candidates, nearest, elapsedMs, polls } = outcome;
  const verb = VERBS[answer === 'unknown' ? 'unknown' : 'unsatisfied'];
  const why = (reason ?? lastSeenText(seen)).replace(/\.$/, '');
  const message = `${excerpt(condition.text)} ${verb}${when}${why === '' ? '' : `: ${lowerFirst(why)}`}.`;
  return new DesktopError(code, message, {
    hint: hintFor(outcome),
    details: {
      answer,
      seen,
      ...(reason !== undefined && { reason }),
      elapsedMs,
      polls,
      ...(candidates && { candidates }),
      ...(nearest && nearest.length > 0 && { nearest }),
    },
  });
}

function hintFor({ answer, candidates, nearest, reason }: WaitOutcome): string {
  if (candidates && candidates.length > 0) return `name one of them: ${candidates[0]!.selector ?? candidates[0]!.ref}`;
  if (answer === 'unknown' && reason?.startsWith('Not everything could be read')) {
    return 'name the window that is meant: window.';
  }
  const likely = nearest?.find((one) => one.likely);
  if (likely) return `if it is what you mean, use ${likely.ref}.`;
  return 'look first: ui_snapshot.';
}

/** Our own sentences only: a ref or a quote at the beginning stays as it is. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
