import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../act/actor.js';
import type { Chord } from '../../drivers/contract/index.js';
import type { Target } from '../locate/target.js';
import { DesktopError } from '../../shared/index.js';
import { quote, TEXT_FIELD_ROLES } from '../../tree/index.js';
import {
  everything,
  isListOpen,
  keysAreAt,
  listInPage,
  listsIn,
  type OptionList,
  OPTIONS,
  optionsWithin,
  readList,
  selectInPage,
  wordsOf,
} from './option-list.js';

/** So long a list may take to open and to tell what is in it. */
const OPENS_MS = 5_000;
const CLOSES_MS = 2_000;
const LOOK_MS = 50;
const KEYS_MS = 500;
/** Keys that came to another option than they should are corrected so often. */
const MOST_TRIES = 5;
const MOST_MENUS = 4;

/** The field of a combo box that one can type into; undefined where one can only choose. */
export async function fieldOf({ reader }: Pick<Actor, 'reader'>, { element }: Target): Promise<Target | undefined> {
  const { roots } = await reader.lookAt(element.ref, {});
  const field = roots.flatMap(everything).find(({ role, ref }) => TEXT_FIELD_ROLES.has(role) && ref !== element.ref);
  return field && reader.target(field.ref);
}

/**
 * As a person does it: opens the list, goes to the option with the arrow keys, sees that it is the one, and takes it.
 * By keys, because not every toolkit tells where its options are. A list that does not have it is closed again, with
 * what was chosen before.
 */
export async function selectByInput(actor: Actor, target: Target, name: string): Promise<void> {
  // Left open by somebody, the click would close it.
  if (await isListOpen(actor, target)) {
    await actor.press([key('Escape')]);
    if (!(await isClosed(actor, target))) throw stays(target);
  }
  const before = actor.delivered;
  // Brought into view by the click, it would bring other lists of the page along.
  if (target.element.states.offscreen) await actor.settled(target.window, async () => void (await actor.point(target)));
  const lists = await listsIn(actor, target);
  // A list that is still being drawn may not have the keys yet, whatever it tells.
  await actor.settled(target.window, () => actor.click(target));
  const shown = await listInPage(actor, target, lists);
  if (shown) {
    const missed = await selectInPage(actor, target, shown, name.trim());
    if (!missed) return;
    if (!(await listsIn(actor, target)).has(shown.ref)) actor.delivered = before;
    throw missed.fits > 1 ? twice(target, name.trim(), missed.fits) : notThere(target, name.trim(), missed.there);
  }
  try {
    await goTo(actor, target, name.trim());
  } catch (error) {
    // Without a list the key would close what the combo box is in.
    if (await isListOpen(actor, target)) {
      // Opened and closed: nothing was chosen.
      if (await closeList(actor, target)) actor.delivered = before;
    }
    throw error;
  }
  await actor.press([key('Enter')]);
  // One that opened a menu instead of being taken would leave both behind; what it holds is read back anyway.
  if (!(await isClosed(actor, target))) await closeList(actor, target);
}

/** The list is open. Each key closes the innermost menu. */
async function closeList(actor: Actor, target: Target): Promise<boolean> {
  for (let menus = 0; menus < MOST_MENUS; menus++) {
    await actor.press([key('Escape')]);
    if (await isClosed(actor, target)) return true;
  }
  return false;
}

/** The keys are at the option then, as far as its list tells where they are. */
async function goTo(actor: Actor, target: Target, name: string): Promise<void> {
  const opening = performance.now();
  let list = await opened(actor, target, name);
  let took = performance.now() - opening;
  await hasKeys(actor);
  const seen = new Set<string>();
  let fromTop = false;
  let end: string | undefined;
  for (let tries = 0; tries < MOST_TRIES;) {
    const { options, at, whole } = list;
    for (const option of options) seen.add(wordsOf(option));
    const fits = options.flatMap((option, index) => (wordsOf(option) === name ? [index] : []));
    if (fits.length > 1) throw twice(target, name, fits.length);
    const [wished] = fits;
    const opens = options.find((option) => {
      const within = optionsWithin(option);
      return within.length > 0 && [option, ...within].some((one) => wordsOf(one) === name);
    });
    if (opens) throw inMenus(target, name);
    if (wished !== undefined && wished === at) return;
    // Where a browser's list is left it has chosen what the keys were at, Escape or not: they are not moved for nothing.
    if (wished === undefined && whole) throw notThere(target, name, [...seen]);
    if (at === undefined) {
      if (wished !== undefined && whole) return actor.press([key('Home'), ...times(wished, 'Down')]);
      if (fromTop) throw untold(target, 'does not tell which of its options the keys are at');
      // Some tell it once the keys have moved.
      fromTop = true;
      await actor.press([key('Home')]);
    } else if (wished !== undefined) {
      tries += 1;
      await actor.press(times(Math.abs(wished - at), wished > at ? 'Down' : 'Up'));
      if (await keysAreAt(actor, name)) return;
    } else if (!fromTop) {
      fromTop = true;
      await actor.press([key('Home')]);
    } else if (at === options.length - 1) {
      // A list that is slow to follow the keys would look the same here: at its end they go no further.
      const last = wordsOf(options[at]!);
      if (last === end) throw notThere(target, name, [...seen]);
      end = last;
      await actor.press([key('Down')]);
    } else {
      await actor.press(times(options.length - 1 - at, 'Down'));
    }
    const began = performance.now();
    // What was opened must be closed in time.
    if (actor.deadline.remaining() < 2 * took + CLOSES_MS) throw tooLong(target, name);
    list = await readList(actor, target, name, actor.deadline.atMost(OPENS_MS));
    took = performance.now() - began;
    if (list.options.length === 0) break;
  }
  throw untold(target, `cannot be brought to ${quote(name)} with the arrow keys`);
}

async function opened(actor: Actor, target: Target, name: string): Promise<OptionList> {
  // With time left to say what became of it.
  const end = actor.deadline.atMost(Math.max(0, Math.min(OPENS_MS, actor.deadline.remaining() - CLOSES_MS)));
  for (;;) {
    const list = await readList(actor, target, name, end);
    if (list.options.length > 0) return list;
    if (end.over)
      throw (await isListOpen(actor, target)) ? untold(target, 'does not tell what is in its list') : shut(target);
    await pause(LOOK_MS);
  }
}

async function isClosed(actor: Actor, target: Target): Promise<boolean> {
  for (const end = actor.deadline.atMost(CLOSES_MS); ; await pause(LOOK_MS)) {
    if (!(await isListOpen(actor, target))) return true;
    if (end.over) return false;
  }
}

/**
 * Keys that come before the list has them go to the closed combo box, which takes them for a choice. Not every toolkit
 * tells, so it is not waited for longer than any of them takes.
 */
async function hasKeys(actor: Actor): Promise<void> {
  for (const end = actor.deadline.atMost(KEYS_MS); !end.over; await pause(LOOK_MS)) {
    try {
      const { windows } = await actor.reader.windows();
      const { window, element } = await actor.reader.target('focused');
      const open = windows.some(({ menu, visible }) => menu && visible);
      if (open && (window.menu || OPTIONS.has(element.role))) return;
    } catch (error) {
      // Between the two nothing has the focus.
      if (!(error instanceof DesktopError) || error.code !== 'element_not_found') throw error;
    }
  }
}

const key = (name: string): Chord => ({ key: name, modifiers: [] });
const times = (count: number, name: string): Chord[] => Array.from({ length: count }, () => key(name));

function twice({ element }: Target, name: string, fits: number): DesktopError {
  const what = `${element.ref} ${element.role} has ${fits} options ${quote(name)}`;
  return new DesktopError('ambiguous_target', `${what}; its list was closed again.`, {
    retry: 'no',
    hint: 'open it with ui_click, and click the one that you mean.',
  });
}

function notThere({ element }: Target, name: string, there: string[]): DesktopError {
  const why = `has no option ${quote(name)} to choose`;
  const told = there.filter((words) => words !== '');
  const shown = told.slice(0, 20).map((words) => quote(words));
  const more = told.length > shown.length ? ` and ${told.length - shown.length} more` : '';
  return new DesktopError('element_not_found', `${element.ref} ${element.role} ${why}; its list was closed again.`, {
    retry: 'no',
    hint: 'choose one that there is.',
    details: { changes: [`it has ${shown.join(', ')}${more}`] },
  });
}

function untold({ element }: Target, why: string): DesktopError {
  return new DesktopError('not_supported', `${element.ref} ${element.role} ${why}; its list was closed again.`, {
    retry: 'no',
    hint: 'open it with ui_click and use ui_key: "Down Enter".',
  });
}

function inMenus({ element }: Target, name: string): DesktopError {
  const what = `${element.ref} ${element.role} has ${quote(name)} in a menu of its list, which is not gone through`;
  return new DesktopError('not_supported', `${what}; nothing was chosen, and its list was closed again.`, {
    retry: 'no',
    hint: 'ui_click it, then the item whose menu it is in, then the option.',
  });
}

function tooLong({ element }: Target, name: string): DesktopError {
  const what = `${element.ref} ${element.role} takes too long to be read as far as ${quote(name)}`;
  return new DesktopError('timeout', `${what}; its list was closed again.`, {
    hint: 'give it more time (timeoutMs 60000), or open it with ui_click and use ui_key "Down Enter".',
  });
}

function stays({ element }: Target): DesktopError {
  return new DesktopError('not_ready', `${element.ref} ${element.role} is behind a menu that does not close.`, {
    hint: 'look what is open: ui_snapshot.',
  });
}

/** It was clicked; whether that did anything else nobody knows. */
function shut({ element }: Target): DesktopError {
  const message = `${element.ref} ${element.role} was clicked and opened no list that can be read; nothing was chosen.`;
  return new DesktopError('not_supported', message, {
    delivered: 'unknown',
    retry: 'no',
    details: { complete: true },
    hint: 'look what the click did: ui_snapshot.',
  });
}
