import { expect, test } from 'vitest';
import type { AppCalls } from './app-connection.js';
import { inlineEmbeddedText } from './text.js';

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
