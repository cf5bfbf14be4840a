import { expect, test } from 'vitest';
import type { AppCalls } from './app-connection.js';
import type { Node, Role } from '../../../tree/index.js';
import { inlineEmbeddedText, readContainerText } from './text.js';

interface Part {
  role: number;
  text?: string;
  parts?: Part[];
}

const STATIC = 116;
const PARAGRAPH = 73;
const SECTION = 85;
const LINK = 88;
const IMAGE = 27;

/** A page that answers from a tree. Paths are the positions of the children. */
function callsOf(root: Part): AppCalls {
  const at = (path: string): Part =>
    path
      .split('/')
      .slice(2)
      .reduce((part, index) => part.parts![Number(index)]!, root);
  return {
    call: async (path: string, _iface: string, member: string, _signature?: string, body: number[] = []) => {
      const { role, text = '', parts = [] } = at(path);
      if (member === 'GetText') return [text.slice(body[0], body[1])];
      if (member === 'GetRole') return [role];
      return [parts.map((_, index) => [':1.1', `${path}/${index}`])];
    },
    get: async (path: string, _iface: string, property: string) =>
      property === 'CharacterCount' ? at(path).text?.length : (at(path).parts?.length ?? 0),
    maybe: <T>(answer: Promise<T>) => answer,
    understood: <T>(value: T) => value,
  } as unknown as AppCalls;
}

const ENTRY = 79;
const words = (text: string): Part => ({ role: STATIC, text });
const block = (text: string, role = PARAGRAPH): Part => ({ role, text, parts: [words(text)] });

test.each<[string, Part, string | undefined]>([
  ['plain', { role: 61, text: 'abc', parts: [words('abc')] }, 'abc'],
  ['paragraphs', { role: 61, text: '\uFFFC\uFFFC', parts: [block('first'), block('second')] }, 'first\nsecond'],
  [
    'a first line followed by sections',
    { role: 61, text: 'two\uFFFC\uFFFC', parts: [words('two'), block('\n', SECTION), block('lines', SECTION)] },
    'two\n\nlines',
  ],
  [
    'a link and an image in a line',
    {
      role: 61,
      text: 'see \uFFFC or \uFFFC.',
      parts: [words('see '), block('this', LINK), words(' or '), { role: IMAGE }, words('.')],
    },
    'see this or .',
  ],
  [
    'nested parts',
    { role: 61, text: '\uFFFC', parts: [{ role: SECTION, text: '\uFFFC\uFFFC', parts: [block('a'), block('b')] }] },
    'a\nb',
  ],
  [
    'undefined when it contains a field',
    { role: 61, text: 'pin \uFFFC', parts: [words('pin '), block('1234', ENTRY)] },
    undefined,
  ],
  [
    'undefined when the positions of the elements are unknown',
    { role: 61, text: '\uFFFC\uFFFC', parts: [block('a')] },
    undefined,
  ],
])('%s', async (_, root, expected) => {
  expect(await inlineEmbeddedText(callsOf(root), '/it', root.text!)).toBe(expected);
});

const child = (role: Role, given: Partial<Node> = {}): Node => ({
  id: ':1.1/child',
  role,
  states: { enabled: true, visible: true },
  patterns: [],
  platformIds: {},
  children: [],
  ...given,
});

const O = '\uFFFC';

test.each<[string, Partial<Node>, string, (Node | undefined)[], Partial<Node>]>([
  ['words alone', { role: 'group' }, 'Not valid', [], { role: 'paragraph', value: 'Not valid' }],
  ['words around a field', { role: 'group' }, `From ${O} on`, [child('textbox', { value: 'x' })], { value: 'From on' }],
  [
    'words around a link',
    { role: 'paragraph' },
    `See ${O}.`,
    [child('link', { name: 'this' })],
    { value: 'See this.' },
  ],
  ['words beside an unread child', { role: 'listitem' }, `One ${O}`, [undefined], { role: 'listitem', value: 'One' }],
  ['no words', { role: 'group' }, `${O} ${O}`, [child('button'), child('button')], { role: 'group' }],
  ['a name of its own', { role: 'region', name: 'Note' }, 'Note', [], { role: 'region', name: 'Note' }],
  ['a label around a field', { role: 'label', name: 'Pin 12' }, `Pin ${O}`, [child('textbox')], { name: 'Pin' }],
  ['a cell around a field', { role: 'cell', name: '12' }, O, [child('textbox', { value: '12' })], { role: 'cell' }],
  [
    'a date',
    { role: 'textbox' },
    `${O}/${O}${O}`,
    [child('spinbutton', { value: '02' }), child('spinbutton', { value: '2020' }), child('button')],
    { value: '02/2020' },
  ],
  ['a secret field', { role: 'group', states: { enabled: true, visible: true, secret: true } }, 'x', [], {}],
])('text in a container: %s', async (_, given, text, children, expected) => {
  const calls = { ...callsOf({ role: SECTION, text }), app: { toolkit: { textInContainers: true } } } as AppCalls;
  const node = child('group', given);
  const { id, states, patterns, platformIds } = node;
  await readContainerText(calls, '/it', node, children);
  expect(node).toEqual({ id, role: node.role, states, patterns, platformIds, children: [], ...expected });
  if (expected.role) expect(node.role).toBe(expected.role);
});

test('text in a container is not read where texts are elements', async () => {
  const calls = { app: { toolkit: { textInContainers: false } } } as AppCalls;
  const node = child('group');
  await readContainerText(calls, '/it', node, []);
  expect(node).toEqual(child('group'));
});
