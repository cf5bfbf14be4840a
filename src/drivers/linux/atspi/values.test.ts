import { expect, test } from 'vitest';
import type { AppCalls } from './app-connection.js';
import { toolkitFrom } from './toolkit.js';
import { readValue, type FieldValue } from './values.js';

interface Spin {
  toolkit: 'Qt' | 'Chromium' | 'gtk';
  numbers: Record<string, number>;
  text: string;
  editable?: boolean;
}

/** An app that answers from a table. */
function callsOf({ toolkit, numbers, text }: Spin): AppCalls {
  const all: Record<string, number> = { CharacterCount: text.length, ...numbers };
  return {
    app: { toolkit: toolkitFrom(toolkit, 'app') },
    call: async (_path: string, _iface: string, member: string, _signature?: string, body: number[] = []) =>
      member === 'GetText' ? [text.slice(body[0], body[1])] : [],
    get: async (_path: string, _iface: string, property: string) => all[property],
    maybe: <T>(answer: Promise<T>) => answer,
    understood: <T>(value: T) => value,
  } as unknown as AppCalls;
}

const none = { CurrentValue: 0, MinimumValue: 0, MaximumValue: 0 };
const some = { CurrentValue: 5, MinimumValue: 0, MaximumValue: 9 };
const range = { min: 0, max: 9 };

test.each<[string, Spin, FieldValue]>([
  ['the value of a Qt date is its text', { toolkit: 'Qt', numbers: none, text: '2020-01-02' }, { value: '2020-01-02' }],
  [
    'the value of a Qt year is its text',
    { toolkit: 'Qt', numbers: { ...none, CurrentValue: 7 }, text: '2020' },
    { value: '2020' },
  ],
  ['the value of a Qt number is a number', { toolkit: 'Qt', numbers: some, text: '5 px' }, { value: 5, range }],
  ['uses the number without limits in other toolkits', { toolkit: 'gtk', numbers: none, text: '0' }, { value: 0 }],
  [
    'an empty field of a web page is empty',
    { toolkit: 'Chromium', numbers: { ...some, CurrentValue: 0 }, text: '', editable: true },
    { value: '', range },
  ],
  ['a field of a web page', { toolkit: 'Chromium', numbers: some, text: '5', editable: true }, { value: 5, range }],
  [
    'with all its digits',
    { toolkit: 'Chromium', numbers: { ...none, CurrentValue: 123456792 }, text: '123456789', editable: true },
    { value: 123456789 },
  ],
  [
    'with a decimal comma',
    { toolkit: 'Chromium', numbers: { ...none, CurrentValue: Math.fround(12.34) }, text: '12,34', editable: true },
    { value: 12.34 },
  ],
  [
    'while its text is not a number',
    { toolkit: 'Chromium', numbers: { ...none, CurrentValue: Math.fround(19.99) }, text: '1e', editable: true },
    { value: 19.99 },
  ],
  [
    'while its text is another number',
    { toolkit: 'Chromium', numbers: { ...none, CurrentValue: 5 }, text: '50', editable: true },
    { value: 5 },
  ],
  [
    'with the fewest digits that give the same 32-bit number',
    {
      toolkit: 'Chromium',
      numbers: { CurrentValue: 16777216, MinimumValue: Math.fround(0.3), MaximumValue: Math.fround(3e38) },
      text: '',
    },
    { value: 16777216, range: { min: 0.3, max: 3e38 } },
  ],
  [
    'keeps more digits in a toolkit with 64-bit numbers',
    { toolkit: 'gtk', numbers: { ...none, CurrentValue: Math.fround(0.3) }, text: '' },
    { value: 0.300000011921 },
  ],
  ['a spin button drawn by the page', { toolkit: 'Chromium', numbers: some, text: '' }, { value: 5, range }],
])('a spin button: %s', async (_, spin, expected) => {
  const states = { visible: true, enabled: true, ...(spin.editable && { editable: true }) };
  expect(await readValue(callsOf(spin), '/it', { role: 'spinbutton', states }, false, false)).toEqual(expected);
});
