import { z } from 'zod';
import {
  type Actor,
  patternThenInput,
  type ActionReport,
  defineAct,
  type PatternAct,
  type Target,
  type InputMethods,
} from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { roleInText, type Element, type Role, type States } from '../../tree/index.js';
import { actionText } from '../text/action.js';
import { besideControls, uiClick } from './ui-click.js';
import { METHOD, QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from '../fields.js';
import { capitalised } from '../text/sentence.js';

interface Action {
  pattern: PatternAct['kind'];
  /** What a user would do instead. */
  input?: 'click' | 'right click' | 'move' | 'focus';
  /** The text for an element that is already in this state. */
  noop?: (states: States) => string | undefined;
  /** The text for an element that is in another state afterwards. */
  instead?: (states: States) => string | undefined;
  /** The text for an element that cannot have this state. */
  lacks?: (element: Element) => string | undefined;
  /** The element only has to exist. */
  gentle?: boolean;
}

const TICKS: Readonly<Record<string, string>> = { true: 'checked', false: 'unchecked', mixed: 'mixed' };
const on = (states: States): boolean | 'mixed' | undefined => states.checked ?? states.pressed;
const tick = (states: States): string | undefined =>
  on(states) === undefined ? undefined : `is ${TICKS[String(on(states))]}`;
const unticked = ({ states }: Element): string | undefined =>
  on(states) === undefined ? 'cannot be checked' : undefined;
/** They open, though most toolkits do not expose whether they are open. */
const OPENING: ReadonlySet<Role> = new Set(['menu', 'menuitem', 'menubutton', 'combobox']);
const fixed = ({ states }: Element): string | undefined =>
  states.expanded === undefined ? 'cannot be expanded' : undefined;
const closed = (element: Element): string | undefined => (OPENING.has(element.role) ? undefined : fixed(element));

/** Actions that name the requested state may be repeated safely; `toggle` and `invoke` may not. */
const ACTIONS = {
  invoke: { pattern: 'invoke', input: 'click' },
  select: {
    pattern: 'select',
    input: 'click',
    noop: ({ selected }) => (selected ? 'is selected already' : undefined),
  },
  toggle: { pattern: 'toggle', input: 'click', lacks: unticked },
  check: {
    pattern: 'toggle',
    input: 'click',
    lacks: unticked,
    noop: (states) => (on(states) === true ? 'is checked already' : undefined),
    instead: (states) => (on(states) === true ? undefined : tick(states)),
  },
  uncheck: {
    pattern: 'toggle',
    input: 'click',
    lacks: unticked,
    noop: (states) => (on(states) === false ? 'is unchecked already' : undefined),
    instead: (states) => (on(states) === false ? undefined : tick(states)),
  },
  expand: {
    pattern: 'expand',
    input: 'click',
    lacks: closed,
    noop: ({ expanded }) => (expanded === true ? 'is expanded already' : undefined),
    instead: ({ expanded }) => (expanded === false ? 'is collapsed' : undefined),
  },
  collapse: {
    pattern: 'collapse',
    input: 'click',
    lacks: fixed,
    noop: ({ expanded }) => (expanded === false ? 'is collapsed already' : undefined),
    instead: ({ expanded }) => (expanded === true ? 'is expanded' : undefined),
  },
  context_menu: { pattern: 'contextMenu', input: 'right click' },
  increment: { pattern: 'increment' },
  decrement: { pattern: 'decrement' },
  focus: {
    pattern: 'focus',
    input: 'focus',
    noop: ({ focused }) => (focused ? 'has the focus already' : undefined),
  },
  hover: { pattern: 'invoke', input: 'move', gentle: true },
  scroll_into_view: { pattern: 'scrollIntoView', gentle: true },
} satisfies Record<string, Action>;

/** The keys that open and close a row everywhere. */
const ROWS: ReadonlySet<Role> = new Set(['cell', 'row', 'treeitem', 'listitem']);
const ARROWS: Readonly<Record<string, string>> = { expand: 'Right', collapse: 'Left' };

/** Steps a spin button by the step of its app, exposed or not. For a slider the direction of these keys varies. */
const STEPS: Readonly<Record<string, { pattern: 'increment' | 'decrement'; key: string }>> = {
  increment: { pattern: 'increment', key: 'Up' },
  decrement: { pattern: 'decrement', key: 'Down' },
};

type ActionName = keyof typeof ACTIONS;
const NAMES = Object.keys(ACTIONS) as [ActionName, ...ActionName[]];

export const uiAct = defineAct({
  name: 'ui_act',
  class: 'act',
  description: 'A named action. check, uncheck, expand, select may be repeated safely; toggle and invoke not.',
  traits: {
    ...{ text: 'none', keys: 'none', place: 'any-window', appGrant: true, clicksRuledAs: uiClick.name },
    risk: { of: ({ action }) => String(action), possible: ['focus', 'invoke'] },
  },
  cli: {
    group: 'Act',
    positionals: ['action', 'target'],
    help: {
      action: 'action to perform',
    },
    examples: [['act check \'checkbox:"I accept"\'', 'check the box unless it is checked']],
  },
  sentence: { verb: ({ action }) => [capitalised(action) ?? 'Act on'] },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  quiet: QUIET,
  input: z.object({ action: z.enum(NAMES), target: TARGET, window: WINDOW, method: METHOD, ...WAITING }),
  async plan(reader, { action, target, window }) {
    const { noop, lacks, gentle, input }: Action = ACTIONS[action];
    const named = await reader.target(target, window);
    const found = input?.endsWith('click') ? await besideControls(reader, named) : named;
    const { states } = found.element;
    const why = lacks?.(found.element);
    if (why) throw cannot(found, why);
    const reached = noop?.(states);
    const needs = gentle ? {} : { usable: true };
    return { verb: action, target: found, window: found.window, needs, ...(reached && { noop: reached }) };
  },
  async act(actor, { target }, { action, method }) {
    const { pattern, input, instead }: Action = ACTIONS[action];
    const ways: InputMethods = action === 'hover' ? {} : { pattern: { kind: pattern } };
    // A click on an item without a menu of its own would do what the item is for.
    const risky = action === 'expand' && target!.element.role === 'menuitem';
    if (input === 'click' && !risky) ways.input = async () => actor.click(await pressedFor(actor, action, target!));
    // A click on a row selects it.
    const key = ROWS.has(target!.element.role) ? ARROWS[action] : undefined;
    if (key !== undefined) ways.input = () => pressOn(actor, target!, key);
    const arrow = target!.element.role === 'spinbutton' ? STEPS[action] : undefined;
    if (arrow !== undefined) {
      ways.pattern = { kind: arrow.pattern, exposedStep: method !== 'pattern' };
      ways.input = () => pressOn(actor, target!, arrow.key);
    }
    if (input === 'focus') ways.input = async () => void (await actor.focus(target!));
    if (input === 'right click') ways.input = () => actor.click(target!, { button: 'right' });
    if (input === 'move') ways.input = async () => actor.moveTo(await actor.point(target!));
    const once = (): Promise<ActionReport> => patternThenInput(actor, target!, method, ways);
    const report = on(target!.element.states) === 'mixed' ? await twice(actor, target!, once, instead) : await once();
    return { ...report, ...(instead && { instead }) };
  },
  text: actionText,
});

/**
 * An element that is neither on nor off becomes one of both, and only the app knows which. If it became the wrong one,
 * one more step makes it the other.
 */
async function twice(
  actor: Actor,
  target: Target,
  once: () => Promise<ActionReport>,
  instead: Action['instead'],
): Promise<ActionReport> {
  let report: ActionReport | undefined;
  await actor.settled(target.window, async () => {
    report = await once();
  });
  const { element } = await actor.reader.target(target.element.ref);
  const reported = typeof on(element.states) === 'boolean';
  return reported && instead?.(element.states) !== undefined ? once() : report!;
}

/**
 * The element that a click must hit to expand or collapse the target. A click on a row of a GTK 4 tree selects the row;
 * the button in the row expands and collapses it.
 */
async function pressedFor({ reader }: Actor, action: ActionName, target: Target): Promise<Target> {
  if (ARROWS[action] === undefined || target.element.role !== 'group') return target;
  const { roots } = await reader.snapshotOf(target.element.ref, {});
  const button = roots[0]?.children.find(({ role }) => role === 'button');
  return button ? reader.target(button.ref) : target;
}

async function pressOn(actor: Actor, target: Target, key: string): Promise<void> {
  await actor.giveFocus(target);
  await actor.pressIn(target.window, target, [{ key, modifiers: [] }]);
}

function cannot({ element }: Target, why: string): DesktopError {
  return new DesktopError('pattern_unsupported', `${element.ref} ${roleInText(element.role)} ${why}.`, {
    retry: 'no',
    hint: 'ui_describe lists what it offers.',
  });
}
