import { z } from 'zod';
import { defineTool, READ_TRAITS, type SuggestedSelector, type Reader, type Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import {
  centre,
  withUntrustedMarkers,
  quote,
  renderElementLine,
  type Element,
  type States,
  type WindowInfo,
} from '../../tree/index.js';
import { ROOT, THING, THINGS } from '../output-schemas.js';

/** @public The published types name it. */
export interface Result {
  untrusted: true;
  window: WindowInfo;
  element: Omit<Element, 'children'>;
  /** From the window down to its parent, named ones only. */
  path: { ref?: string; role: string; name?: string }[];
  /** Unique now, and likely to stay so. */
  selector?: SuggestedSelector;
}

const PARENTS = 3;

export const uiDescribe = defineTool({
  name: 'ui_describe',
  class: 'read',
  description:
    'All about one element: states, actions, ids, bounds, a selector that will last. By target ("focused" works) or by point.',
  traits: { ...READ_TRAITS, place: 'any-window' },
  cli: {
    group: 'Look',
    positionals: ['target'],
    acceptsPoint: true,
    usage: 'describe TARGET|--at X,Y',
    examples: [
      ['describe e12', 'everything about one element'],
      ['describe --at 400,300', 'the element at a point'],
    ],
  },
  sentence: { verb: () => ['Describe'] },
  output: z.looseObject({
    ...ROOT,
    ...{ window: THING, element: THING, path: THINGS, selector: THING.optional() },
  }),
  timeoutMs: 5_000,
  input: z.object({
    target: z.string().max(2_000).optional(),
    window: z.string().max(500).optional(),
    x: z.int().optional(),
    y: z.int().optional(),
  }),
  async run({ reader }, { target, window, x, y }): Promise<Result> {
    const read = { depth: 0, detail: true };
    if (target !== undefined && x === undefined && y === undefined) {
      return resultOf(reader, await reader.target(target, window, read));
    }
    if (target !== undefined || x === undefined || y === undefined) {
      throw new DesktopError('bad_arguments', 'ui_describe needs either a target or both x and y.', {
        hint: 'give target: "e12", or x and y of a point on the screen.',
      });
    }
    const found = await reader.atPoint({ x, y }, read);
    if (found) return resultOf(reader, found);
    throw new DesktopError('element_not_found', `Nothing is at ${x},${y}.`, {
      hint: 'points are screen pixels; ui_list_windows shows where the windows are.',
    });
  },
  text: (result) => withUntrustedMarkers(describeLines(result).join('\n')),
});

async function resultOf(reader: Reader, target: Target): Promise<Result> {
  const { window, element, path } = target;
  const selector = await reader.lastingSelector(target);
  const { children: _children, ...rest } = element;
  const named = path.filter((parent) => parent.name && !parent.ref.startsWith('w')).slice(-PARENTS);
  const parents = named.map(({ ref, role, name }) => ({ ...(ref && { ref }), role, name }));
  return { untrusted: true, window, element: rest, path: parents, ...(selector && { selector }) };
}

function describeLines({ window, element, path, selector }: Result): string[] {
  const place = path.map(({ role, name }) => `${role} ${quote(name ?? '')}`);
  const within = element.ref === window.ref ? '' : ` in ${[window.ref, ...place].join(' > ')}`;
  const first: Row[] = [
    ['states', stateList(element.states)],
    ['actions', element.patterns.join(', ')],
    ['bounds', boundsText(element)],
  ];
  const rows: Row[] = [
    ...sideBySide(first),
    [
      'native',
      (element.actions ?? [])
        .filter((action) => action !== '')
        .map(plainOrQuoted)
        .join(', '),
    ],
    ['about', element.description ? quote(element.description) : ''],
    ['ids', idList(element)],
    ['selector', selector ? lastingLine(selector) : ''],
    ['cleaned', element.cleaned ? `${element.cleaned} invisible characters were taken out of its text` : ''],
  ];
  const lines = rows.filter(([, text]) => text !== '').map(([word, text]) => `  ${word.padEnd(8)}  ${text}`);
  return [`${renderElementLine({ ...element, children: [] })}${within}`, ...lines];
}

/** The selector, and what makes it unique. */
export function lastingLine({ selector, by }: SuggestedSelector): string {
  return `${selector}    unique, ${HOW[by]}`;
}

const HOW: Record<SuggestedSelector['by'], string> = {
  id: "by the developer's id",
  address: 'by address',
  name: 'by name',
  item: 'by what is in its row',
  label: 'by the label beside it',
  role: 'the only one of its kind',
  position: 'by position only',
};

type Row = [word: string, text: string];

const LINE = 120;

/** Short ones share a line, as one reads them together; long ones keep lines of their own. */
function sideBySide(rows: Row[]): Row[] {
  const [first, ...others] = rows.filter(([, text]) => text !== '');
  if (!first) return [];
  const joined = [first[1], ...others.map(([word, text]) => `${word}  ${text}`)].join('     ');
  return joined.length <= LINE ? [[first[0], joined]] : [first, ...others];
}

/** Action names come from the app. */
function plainOrQuoted(text: string): string {
  return /^[\w .-]{1,40}$/.test(text) ? text : quote(text);
}

function boundsText({ bounds, clickPoint, states }: Result['element']): string {
  if (!bounds) return 'not on screen';
  const box = `${bounds.x},${bounds.y} ${bounds.width}x${bounds.height}`;
  // Where it would be if one scrolled: a click there meets something else.
  if (states.offscreen || !states.visible) return `${box}, not on screen`;
  const click = clickPoint ?? centre(bounds);
  return `${box}, click at ${click.x},${click.y}`;
}

/** Also states that a snapshot leaves out, both ways: "not focusable" is useful for a caller that asks. */
function stateList(states: States): string {
  const words = Object.entries(states)
    .filter(([name, on]) => name !== 'visible' || on === false)
    // For policy alone.
    .filter(([name]) => name !== 'default')
    .filter(([name, on]) => on !== undefined && (on !== false || SAID_WHEN_OFF[name] !== undefined))
    .map(([name, on]) => (on === false ? SAID_WHEN_OFF[name]! : on === 'mixed' ? `${name} mixed` : name));
  return words.join(', ');
}

const SAID_WHEN_OFF: Record<string, string> = {
  enabled: 'disabled',
  visible: 'hidden',
  checked: 'unchecked',
  expanded: 'collapsed',
};

function idList({ platformIds }: Result['element']): string {
  const ids = Object.entries(platformIds).filter(([, id]) => id !== undefined && id !== '');
  return ids
    .map(([kind, id]) => `${kind} ${idText(String(id))}${FLEETING.has(kind) ? ' (this run only)' : ''}`)
    .join(', ');
}

/** Ids that mean nothing once the app was started again. */
const FLEETING: ReadonlySet<string> = new Set(['atspiPath', 'runtimeId']);

function idText(id: string): string {
  return /^[\w./:-]+$/.test(id) ? id : quote(id);
}
