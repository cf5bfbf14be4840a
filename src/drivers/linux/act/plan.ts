import { roleFromAtspi, type Role } from '../../../tree/index.js';
import type { PatternAct } from '../../contract/index.js';
import { COMPONENT } from '../atspi/interfaces.js';
import { readLineage } from '../atspi/lineage.js';
import { byAction } from './by-action.js';
import { bySelection } from './by-selection.js';
import { insertText, setCaret, setText } from './by-text.js';
import { setNumber, stepNumber } from './by-value.js';
import { chooseOption } from './choose-option.js';
import { deed, type Already, type Deed } from './deed.js';
import type { Subject } from './subject.js';

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
