import { setTimeout as pause } from 'node:timers/promises';
import type { Actor, Chord, Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote, TEXT_FIELD_ROLES, type Element, type Role } from '../../tree/index.js';

const OPTIONS: ReadonlySet<Role> = new Set(['option', 'listitem', 'menuitem', 'menuitemradio', 'treeitem', 'row']);
/** So long a list may take to open and to tell what is in it. */
const OPENS_MS = 5_000;
const LOOK_MS = 50;
const KEYS_MS = 500;

/** The field of a combo box that one can type into; undefined where one can only choose. */
export async function fieldOf(actor: Actor, { element }: Target): Promise<Target | undefined> {
  const { roots } = await actor.reader.lookAt(element.ref, {});
  const field = roots.flatMap(everything).find(({ role, ref }) => TEXT_FIELD_ROLES.has(role) && ref !== element.ref);
  return field && actor.reader.target(field.ref);
}

/**
 * As a person does it: opens the list, goes to the option with the arrow keys and takes it. By keys, because not every
 * toolkit tells where its options are. A list that does not have it is closed again.
 */
export async function chooseByHand(actor: Actor, target: Target, name: string): Promise<void> {
  // A list that is still being drawn may not have the keys yet, whatever it tells.
  await actor.settled(target.window, () => actor.click(target));
  try {
    const steps = await stepsTo(actor, target, name);
    await hasKeys(actor);
    await actor.press([key('Home'), ...Array.from({ length: steps }, () => key('Down')), key('Enter')]);
  } catch (error) {
    // Without a list the key would close what the combo box is in.
    if (await isListOpen(actor, target)) await actor.press([key('Escape')]);
    throw error;
  }
}

async function isListOpen(actor: Actor, { window }: Target): Promise<boolean> {
  const { windows } = await actor.reader.windows();
  return windows.some(({ menu, visible, of, pid }) => menu && visible && (of === window.ref || pid === window.pid));
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

/**
 * How many options that can be chosen come before it. Told twice the same: a list that is just opening may tell a part
 * of its options, or not have the keys yet.
 */
async function stepsTo(actor: Actor, target: Target, name: string): Promise<number> {
  const end = actor.deadline.atMost(OPENS_MS);
  for (let before = ''; ;) {
    const options = await openOptions(actor, target);
    const told = JSON.stringify(options.map(wordsOf));
    if (told !== before && !end.over) {
      before = told;
      await pause(LOOK_MS);
      continue;
    }
    const at = options.flatMap((option, index) => (wordsOf(option) === name.trim() ? [index] : []));
    const [first, ...more] = at;
    if (first !== undefined && more.length === 0 && options[first]!.states.enabled) {
      return options.slice(0, first).filter(({ states }) => states.enabled).length;
    }
    if (options.length > 0) throw notThere(target, name, options, at.length);
    if (end.over) throw untold(target, await isListOpen(actor, target));
    await pause(LOOK_MS);
  }
}

/** What is in the combo box itself, or in a list that opened as a window of its own. */
async function openOptions(actor: Actor, { element, window }: Target): Promise<Element[]> {
  const { roots, windows } = await actor.reader.look({ window: window.ref, full: true });
  if (!windows.some(({ menu, visible }) => menu && visible)) return [];
  const combo = roots.flatMap(everything).find(({ ref }) => ref === element.ref);
  const lists = roots.filter((_, index) => windows[index]!.menu);
  const found = [...(combo ? [combo] : []), ...lists].map((list) => everything(list).filter(isOption));
  return found.find((options) => options.length > 0) ?? [];
}

const isOption = ({ role }: Element): boolean => OPTIONS.has(role);

function everything(element: Element): Element[] {
  return [element, ...element.children.flatMap(everything)];
}

function wordsOf({ name, children }: Element): string {
  return (name ?? children.map(wordsOf).join(' ')).trim();
}

function notThere({ element }: Target, name: string, options: Element[], fits: number): DesktopError {
  const there = options.map(wordsOf).filter((words) => words !== '');
  const why = fits > 1 ? `has ${fits} options ${quote(name)}` : `has no option ${quote(name)} to choose`;
  return new DesktopError('element_not_found', `${element.ref} ${element.role} ${why}; its list was closed again.`, {
    retry: 'no',
    hint: 'choose one that there is.',
    details: {
      changes: [
        `it has ${there
          .slice(0, 20)
          .map((words) => quote(words))
          .join(', ')}`,
      ],
    },
  });
}

function untold({ element }: Target, open: boolean): DesktopError {
  const why = open ? 'does not tell what is in its list; it was closed again' : 'opened no list that can be read';
  return new DesktopError('not_supported', `${element.ref} ${element.role} ${why}.`, {
    retry: 'no',
    hint: open ? 'open it with ui_click and use ui_key: "Down Enter".' : 'look what the click did: ui_snapshot.',
  });
}
