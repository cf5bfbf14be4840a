import { type Role, roleFromAtspi } from '../../../tree/index.js';
import type { ActOptions, PatternAct, PatternAnswer } from '../../contract/index.js';
import { COMPONENT, parseElementId } from '../atspi/accessible.js';
import { readLineage, stale } from '../atspi/ancestors.js';
import type { Apps } from '../atspi/apps.js';
import { explained } from '../read/window-tree.js';
import { notReady, readSubject, type Subject, unsupported } from './action-target.js';
import { byAction } from './by-action.js';
import { bySelection, chooseOption } from './by-selection.js';
import { insertText, setCaret, setText } from './by-text.js';
import { setNumber, stepNumber } from './by-value.js';
import type { ActLines } from './connections.js';
import { type Already, deed, type Deed, sendDeed } from './send-call.js';

/** Need nothing but to be there. */
const GENTLE: ReadonlySet<PatternAct['kind']> = new Set(['focus', 'scrollIntoView']);

/**
 * Does it through what the app offers for it, without mouse and keys. Everything that can be wrong is found out by
 * reading first, on the connection of the reads; the act itself goes out on one of its own.
 */
export async function actOn(
  { apps, lines }: { apps: Apps; lines: ActLines },
  element: string,
  act: PatternAct,
  { deadline, lastLook }: ActOptions,
): Promise<PatternAnswer> {
  const id = parseElementId(element);
  if (!id) throw stale();
  deadline.throwIfOver('The act');
  const link = await apps.linkByBusName(id.address[0], deadline);
  const lookLast = lastLook && begunBeside(lastLook);
  const [line, plan] = await explained(link, async () => {
    const read = (): Promise<Subject> => readSubject(link.until(deadline), id);
    const subject = await read();
    // GTK 3 answers true for a disabled button and does nothing, and writes into a disabled field.
    if (!subject.enabled && !GENTLE.has(act.kind)) throw notReady('is disabled');
    const planned = await planOf(subject, act);
    if (!planned) {
      // What goes away while it is asked offers nothing.
      await read();
      throw unsupported(act.kind);
    }
    return 'already' in planned ? [undefined, planned] : [await lines.take(link, deadline), planned];
  });
  if ('already' in plan) return { by: `nothing: it ${plan.already}`, said: true };
  try {
    await lookLast?.();
    deadline.throwIfOver('The act');
    const { said, waiting } = await sendDeed(link, line!, plan, deadline);
    return { by: waiting ? `${plan.by} (the app answers it when what it opened is closed)` : plan.by, said };
  } finally {
    line!.release();
    // GTK 4 and Qt do not announce all that an act changes: what is remembered of it is asked again.
    for (const path of new Set([id.address[1], plan.call.path])) {
      link.memory.notice({ type: 'event', path, children: false });
    }
  }
}

const SCROLL_ANYWHERE = 6;
const SELECTABLE: ReadonlySet<Role> = new Set(['tab', 'listitem', 'option', 'row', 'cell', 'treeitem', 'menuitem']);

/** What to send for an act; undefined when the app offers nothing for it. Reads only. */
export async function planOf(subject: Subject, act: PatternAct): Promise<Deed | Already | undefined> {
  const { path, role, bits } = subject;
  switch (act.kind) {
    case 'invoke':
      // To click a tab is to select it; a row that is clicked may do more than that.
      return (await byAction(subject, 'invoke')) ?? (role === 'tab' ? bySelection(subject) : undefined);
    case 'select':
      return (await byAction(subject, 'select')) ?? (SELECTABLE.has(role) ? bySelection(subject) : undefined);
    case 'toggle':
    case 'expand':
    case 'collapse':
    case 'contextMenu':
      return byAction(subject, act.kind);
    case 'increment':
      return stepNumber(subject, 1, act.toldStep);
    case 'decrement':
      return stepNumber(subject, -1, act.toldStep);
    case 'setNumber':
      return setNumber(subject, act.value);
    case 'setText':
      return role === 'combobox' ? chooseOption(subject, act.text) : setText(subject, act.text);
    case 'insertText':
      return insertText(subject, act.text);
    case 'setCaret':
      return setCaret(subject, act);
    case 'focus':
      if (!bits.has('focusable')) return undefined;
      if (bits.has('focused')) return { already: 'has the focus already' };
      return (await isClickedFor(subject)) ? undefined : grabFocus(subject);
    case 'scrollIntoView':
      return { ...deed(path, COMPONENT, 'ScrollTo', 'u', [SCROLL_ANYWHERE]), falseIsNone: true };
  }
}

/** A browser selects all of its address bar for who clicks there, and without that what is typed comes before the old address. */
async function isClickedFor({ calls, address, role }: Subject): Promise<boolean> {
  if (calls.app.toolkit.name !== 'chromium' || role !== 'textbox') return false;
  const line = await readLineage(calls, address);
  return line.every(({ roleNumber }) => roleFromAtspi(roleNumber) !== 'document');
}

/** In GTK 3 the window comes along; elsewhere the desktop's active window stays. GTK 4.8 has no such call. */
function grabFocus({ path, calls }: Subject): Deed {
  const grab = deed(path, COMPONENT, 'GrabFocus', '', []);
  const activates = calls.app.toolkit.name === 'gtk3';
  return { ...grab, ...(activates && { by: `${grab.by} (activates its window)` }), falseIsNone: true };
}

/**
 * A look that must be the last thing before an act takes longer than planning it, so it begins beside that. Where it
 * ended before whoever asks for it was ready, it was not the last: there is another.
 */
export function begunBeside(look: () => Promise<void>): () => Promise<void> {
  let over = false;
  const first = look().finally(() => (over = true));
  first.catch(() => undefined); // Told to whoever asks; who has nothing to do does not.
  return async () => {
    const early = over;
    await first;
    if (early) await look();
  };
}
