import { expect, it } from 'vitest';
import type { Actor, Target } from '../index.js';
import { withDelivery } from '../verify/action-errors.js';
import { writeCell } from './spreadsheet-cell.js';

const target = { element: { ref: 'e7', role: 'cell', states: {} }, window: { ref: 'w1', active: true } };

/** A sheet whose cell keeps its old text, whatever is typed. */
const actor = {
  pattern: async () => undefined,
  giveFocus: async () => undefined,
  hasFocus: async () => true,
  typingFocus: () => ({ has: async () => true }),
  settled: (_: unknown, step: () => Promise<void>) => step(),
  type: async (text: string) => ({ typed: text.length, done: true }),
  press: async () => undefined,
  reader: { target: async () => target, wholeText: async () => 'old', activeWindow: async () => target.window },
} as unknown as Actor;

it('reports in one sentence that a cell did not accept its text', async () => {
  const error = await writeCell(actor, target as Target, 'new', 'auto').catch((thrown: unknown) =>
    withDelivery(thrown, { verb: 'set_value' }, 'yes'),
  );
  expect(error).toMatchObject({
    ...{ code: 'verify_failed', delivered: 'yes', retry: 'no' },
    message: 'set_value e7 was done (by input), but the cell reads "old" now.',
  });
});

it.each([
  ['12', 'pattern'],
  ['-12.50', 'pattern'],
  ['0.5', 'pattern'],
  ['1e5', 'pattern'],
  ['04109', 'input'],
  ['-007', 'input'],
  ['4000123412341234567', 'input'],
])('enters %s by %s: text that a number would change is typed', async (text, method) => {
  const takes = async (_: unknown, { kind }: { kind: string }) => (kind === 'setNumber' ? { by: 'Value' } : undefined);
  const reader = { ...actor.reader, wholeText: async () => text };
  const sheet = { ...actor, pattern: takes, reader } as unknown as Actor;
  expect(await writeCell(sheet, target as Target, text, 'auto')).toMatchObject({ method, confirmed: true });
});

it('reports that the sheet made a number of a postcode, and how to keep the digits', async () => {
  const reader = { ...actor.reader, wholeText: async () => '4109' };
  const written = writeCell({ ...actor, reader } as unknown as Actor, target as Target, '04109', 'auto');
  await expect(written).rejects.toMatchObject({
    ...{ code: 'verify_failed', delivered: 'yes' },
    hint: "To keep every digit, give it as text: '04109",
  });
});

it.each([
  ['an error', '=1/0', { value: '=1/0' }, { reason: expect.stringMatching(/an error/) as unknown }],
  ['no formula', '=1/0', {}, {}],
])('handles a formula cell without text: %s', async (_, text, held, reported) => {
  const now = { ...target, element: { ...target.element, ...held } };
  const reader = { ...actor.reader, wholeText: async () => '', target: async () => now };
  const { method, ...rest } = await writeCell({ ...actor, reader } as unknown as Actor, target as Target, text, 'auto');
  expect([method, rest]).toEqual(['input', reported]);
});
