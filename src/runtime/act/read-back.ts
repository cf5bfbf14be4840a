import { cleanText, DesktopError, type Deadline } from '../../shared/index.js';
import { quote, type Element } from '../../tree/index.js';
import type { Reader } from '../reader.js';
import type { Aim, Deed } from './aim.js';
import { targetAfter, type Outcome } from './changes.js';

/** An app that was slow to take what was typed gets so long to come to its end. */
const SLOW_MS = 1_000;
const AGAIN_MS = 50;

/** What stands there now, against what was to be written. A difference is a failure: the act did not do what it says. */
export async function readBackOf(
  reader: Reader,
  aim: Aim,
  { expected, method }: Deed,
  outcome: Outcome,
  deadline: Deadline,
): Promise<'same' | undefined> {
  const { target } = aim;
  if (!expected || !target || target.element.states.secret) return undefined;
  let now = targetAfter(outcome, target.element.ref);
  if (!now) return undefined;
  const end = deadline.atMost(SLOW_MS);
  for (;;) {
    const there = await textOf(reader, aim, expected, now);
    if (there === undefined) return undefined;
    if (fits(expected, there)) return 'value' in expected ? 'same' : undefined;
    if (looksLike(expected, there)) return undefined;
    if (end.over) throw otherwise(aim, method, expected, there);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    now = (await reader.target(now.ref)).element;
  }
}

type Expected = NonNullable<Deed['expected']>;

async function textOf(
  reader: Reader,
  { target }: Aim,
  expected: Expected,
  now: Element,
): Promise<string | number | undefined> {
  // A combo box tells what is chosen as its value; its text is another thing, or none, unless it is a field itself.
  const chosen = now.role === 'combobox' && !now.states.editable;
  const itsValue = ('value' in expected && typeof expected.value === 'number') || chosen;
  return itsValue ? now.value : reader.wholeText({ ...target!, element: now });
}

function fits(expected: Expected, there: string | number): boolean {
  if ('part' in expected) return lines(String(there)).includes(lines(expected.part));
  return typeof expected.value === 'number' ? Number(there) === expected.value : there === expected.value;
}

/** What nobody sees (direction marks, soft hyphens) is taken out of what is read: as far as it can be told, it is the same. */
function looksLike(expected: Expected, there: string | number): boolean {
  const wanted = 'part' in expected ? expected.part : expected.value;
  if (typeof wanted !== 'string') return false;
  const seen = lines(cleanText(wanted).text);
  if (seen === lines(wanted)) return false;
  const now = lines(String(there));
  return 'part' in expected ? now.includes(seen) : now === seen;
}

const lines = (text: string): string => text.replace(/\r\n?/g, '\n');

function otherwise({ verb, target }: Aim, method: Deed['method'], expected: Expected, there: string | number) {
  const { ref } = target!.element;
  return new DesktopError('verify_failed', `${verb} ${ref} was done (by ${method}), but it reads otherwise now.`, {
    delivered: 'yes',
    retry: 'no',
    hint: `see what it holds: ui_read ${ref}.`,
    details: {
      expected: 'part' in expected ? expected.part : expected.value,
      untrusted: { value: there },
      changes: [`${ref} holds ${quote(String(there))}`],
    },
  });
}
