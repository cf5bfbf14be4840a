import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../act/actor.js';
import type { Chord } from '../../drivers/contract/index.js';
import type { Target } from '../locate/target.js';
import { DesktopError } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { quote, TEXT_FIELD_ROLES } from '../../tree/index.js';
import {
  withDescendants,
  isListOpen,
  isFocusedOption,
  newListInPage,
  listsIn,
  type OptionList,
  OPTIONS,
  submenuItems,
  readList,
  selectInPage,
  textOf,
} from './option-list.js';

/** How long a list may take to open and to expose its options. */
const OPENING_MS = 5_000;
const CLOSING_MS = 2_000;
const POLL_MS = 50;
const FOCUS_MS = 500;
/** How often keys that reached another option are corrected. */
const MAX_TRIES = 5;
const MAX_MENUS = 4;

/** The text field of an editable combo box; undefined if it is not editable. */
export async function fieldOf({ reader }: Pick<Actor, 'reader'>, { element }: Target): Promise<Target | undefined> {
  const { roots } = await reader.snapshotOf(element.ref, {});
  const field = roots
    .flatMap(withDescendants)
    .find(({ role, ref }) => TEXT_FIELD_ROLES.has(role) && ref !== element.ref);
  return field && reader.target(field.ref);
}

/**
 * Opens the list, goes to the option with the arrow keys, checks that it is the wanted one, and presses Enter. It uses
 * keys because not every toolkit exposes where its options are. If the option is missing, the list is closed again with
 * the old selection.
 */
export async function selectByInput(actor: Actor, target: Target, name: string): Promise<void> {
  // If the list was left open, the click would close it.
  if (await isListOpen(actor, target)) {
    await actor.press([key('Escape')]);
    if (!(await waitUntilClosed(actor, target))) throw menuOpenError(target);
  }
  const before = actor.delivered;
  // If the click scrolled it into view, other lists of the page would become visible at the same time.
  if (target.element.states.offscreen) await actor.settled(target.window, async () => void (await actor.point(target)));
  const lists = await listsIn(actor, target);
  // A list that is still being drawn may not receive keys yet, whatever it exposes.
  await actor.settled(target.window, () => actor.click(target));
  const pageList = await newListInPage(actor, target, lists);
  if (pageList) {
    const failure = await selectInPage(actor, target, pageList, name.trim());
    if (!failure) return;
    if (!(await listsIn(actor, target)).has(pageList.ref)) actor.delivered = before;
    throw failure.matches > 1
      ? severalOptionsError(target, name.trim(), failure.matches)
      : noOptionError(target, name.trim(), failure.options);
  }
  try {
    await goToOption(actor, target, name.trim());
  } catch (error) {
    // Without an open list Escape would close the dialog around the combo box.
    if (await isListOpen(actor, target)) {
      // The list was opened and closed, so nothing was chosen.
      if (await closeList(actor, target)) actor.delivered = before;
    }
    throw error;
  }
  await actor.press([key('Enter')]);
  // If Enter opened a submenu instead of selecting the option, both would stay open. The value is read back in any
  // case.
  if (!(await waitUntilClosed(actor, target))) await closeList(actor, target);
}

/** The list is open. Each Escape closes the innermost menu. */
async function closeList(actor: Actor, target: Target): Promise<boolean> {
  for (let menus = 0; menus < MAX_MENUS; menus++) {
    await actor.press([key('Escape')]);
    if (await waitUntilClosed(actor, target)) return true;
  }
  return false;
}

/** Afterwards the keys are at the option, as far as the list exposes its current one. */
async function goToOption(actor: Actor, target: Target, name: string): Promise<void> {
  const started = performance.now();
  let list = await waitForOptions(actor, target, name);
  let readMs = performance.now() - started;
  await waitForFocus(actor);
  const seen = new Set<string>();
  let fromTop = false;
  let end: string | undefined;
  for (let tries = 0; tries < MAX_TRIES;) {
    const { options, current, complete } = list;
    for (const option of options) seen.add(textOf(option));
    const matches = options.flatMap((option, index) => (textOf(option) === name ? [index] : []));
    if (matches.length > 1) throw severalOptionsError(target, name, matches.length);
    const [wanted] = matches;
    const submenuOwner = options.find((option) => {
      const items = submenuItems(option);
      return items.length > 0 && [option, ...items].some((one) => textOf(one) === name);
    });
    if (submenuOwner) throw submenuError(target, name);
    if (wanted !== undefined && wanted === current) return;
    // A browser's list keeps the option that the keys were at when it closes, even with Escape. So the keys are not
    // moved without need.
    if (wanted === undefined && complete) throw noOptionError(target, name, [...seen]);
    if (current === undefined) {
      if (wanted !== undefined && complete) return actor.press([key('Home'), ...repeatKey(wanted, 'Down')]);
      if (fromTop) throw unsupportedError(target, 'does not expose which of its options is current');
      // Some lists expose it after the keys have moved.
      fromTop = true;
      await actor.press([key('Home')]);
    } else if (wanted !== undefined) {
      tries += 1;
      await actor.press(repeatKey(Math.abs(wanted - current), wanted > current ? 'Down' : 'Up'));
      if (await isFocusedOption(actor, name)) return;
    } else if (!fromTop) {
      fromTop = true;
      await actor.press([key('Home')]);
    } else if (current === options.length - 1) {
      // A list that follows the keys slowly looks the same here, so Down is pressed once more: at the end the keys go
      // no further.
      const last = textOf(options[current]!);
      if (last === end) throw noOptionError(target, name, [...seen]);
      end = last;
      await actor.press([key('Down')]);
    } else {
      await actor.press(repeatKey(options.length - 1 - current, 'Down'));
    }
    const began = performance.now();
    // Enough time must remain to close the list.
    if (actor.deadline.remaining() < 2 * readMs + CLOSING_MS) throw tooLongError(target, name);
    list = await readList(actor, target, name, actor.deadline.atMost(OPENING_MS));
    readMs = performance.now() - began;
    if (list.options.length === 0) break;
  }
  throw unsupportedError(target, `cannot be brought to ${quote(name)} with the arrow keys`);
}

async function waitForOptions(actor: Actor, target: Target, name: string): Promise<OptionList> {
  // Leaves time to report the result.
  const end = actor.deadline.atMost(Math.max(0, Math.min(OPENING_MS, actor.deadline.remaining() - CLOSING_MS)));
  for (;;) {
    const list = await readList(actor, target, name, end);
    if (list.options.length > 0) return list;
    if (end.over)
      throw (await isListOpen(actor, target))
        ? unsupportedError(target, 'does not expose the options of its list')
        : noListError(target);
    await pause(POLL_MS);
  }
}

async function waitUntilClosed(actor: Actor, target: Target): Promise<boolean> {
  for (const end = actor.deadline.atMost(CLOSING_MS); ; await pause(POLL_MS)) {
    if (!(await isListOpen(actor, target))) return true;
    if (end.over) return false;
  }
}

/**
 * Keys that arrive before the list receives them go to the closed combo box, which changes its selection. Not every
 * toolkit exposes this, so the wait is limited to the longest time that any of them takes.
 */
async function waitForFocus(actor: Actor): Promise<void> {
  for (const end = actor.deadline.atMost(FOCUS_MS); !end.over; await pause(POLL_MS)) {
    try {
      const { windows } = await actor.reader.windows();
      const { window, element } = await actor.reader.target('focused');
      const open = windows.some(({ menu, visible }) => menu && visible);
      if (open && (window.menu || OPTIONS.has(element.role))) return;
    } catch (error) {
      // For a moment no element has the focus.
      if (!(error instanceof DesktopError) || error.code !== 'element_not_found') throw error;
    }
  }
}

const key = (name: string): Chord => ({ key: name, modifiers: [] });
const repeatKey = (count: number, name: string): Chord[] => Array.from({ length: count }, () => key(name));

function severalOptionsError({ element }: Target, name: string, matches: number): DesktopError {
  const what = `${element.ref} ${element.role} has ${matches} options ${quote(name)}`;
  return new DesktopError('ambiguous_target', `${what}; its list was closed again.`, {
    retry: 'no',
    hint: 'Open it with ui_click, and click the option that you mean.',
  });
}

function noOptionError({ element }: Target, name: string, options: string[]): DesktopError {
  const why = `has no option ${quote(name)} to choose`;
  const texts = options.filter((text) => text !== '');
  const listed = texts.slice(0, 20).map((text) => quote(text));
  const more = texts.length > listed.length ? ` and ${texts.length - listed.length} more` : '';
  return new DesktopError('element_not_found', `${element.ref} ${element.role} ${why}; its list was closed again.`, {
    retry: 'no',
    hint: 'Choose one of its options.',
    details: { changes: [`it has ${listed.join(', ')}${more}`] },
  });
}

function unsupportedError({ element }: Target, why: string): DesktopError {
  return new DesktopError('not_supported', `${element.ref} ${element.role} ${why}; its list was closed again.`, {
    retry: 'no',
    hint: 'Open it with ui_click and use ui_key "Down Enter".',
  });
}

function submenuError({ element }: Target, name: string): DesktopError {
  const what = `${element.ref} ${element.role} has ${quote(name)} in a submenu of its list, which is not supported`;
  return new DesktopError('not_supported', `${what}; nothing was chosen, and its list was closed again.`, {
    retry: 'no',
    hint: 'Run ui_click on it, then on the item that opens the submenu, then on the option.',
  });
}

function tooLongError({ element }: Target, name: string): DesktopError {
  const what = `${element.ref} ${element.role} takes too long to be read up to ${quote(name)}`;
  return new DesktopError('timeout', `${what}; its list was closed again.`, {
    hint: 'Allow more time (timeoutMs 60000), or open it with ui_click and use ui_key "Down Enter".',
  });
}

function menuOpenError({ element }: Target): DesktopError {
  return new DesktopError('not_ready', `${element.ref} ${element.role} is behind a menu that does not close.`, {
    hint: 'Run ui_snapshot to see what is open.',
  });
}

/** The combo box was clicked; whether that had another effect is unknown. */
function noListError({ element }: Target): DesktopError {
  const message = `${element.ref} ${element.role} was clicked and opened no list that can be read; nothing was chosen.`;
  return new FinalActError('not_supported', message, {
    delivered: 'unknown',
    retry: 'no',
    hint: 'Run ui_snapshot to see what the click did.',
  });
}
