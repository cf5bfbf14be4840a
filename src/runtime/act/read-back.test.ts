import { expect, it } from 'vitest';
import { Deadline } from '../../shared/index.js';
import type { Reader } from '../reader.js';
import type { Aim, Deed } from './aim.js';
import type { Outcome, Scenery } from './changes.js';
import { readBackOf } from './read-back.js';

const element = { ref: 'e1', role: 'textbox', states: { editable: true }, children: [] };
const target = { element, path: [], window: { ref: 'w1' } };
const aim = { verb: 'type', target } as unknown as Aim;
const deed = { method: 'input', expected: { part: 'hello' } } as unknown as Deed;
const before = { snapshot: { roots: [] } } as unknown as Scenery;
const outcome = { after: { snapshot: { roots: [] } }, aside: element } as unknown as Outcome;

/** The field holds the beginning; `meanwhile` happens while it is read. */
function readBack(meanwhile: () => void, deadline: Deadline): Promise<unknown> {
  const reader = {
    wholeText: async () => {
      meanwhile();
      return 'he';
    },
    target: async () => target,
  } as unknown as Reader;
  return readBackOf(reader, aim, deed, { before, outcome }, deadline, async () => undefined);
}

it('who stops while a field is read back is not told that it reads otherwise: the rest may be on its way', async () => {
  const stop = new AbortController();
  const read = readBack(() => stop.abort(), Deadline.in(5_000, stop.signal));
  await expect(read).rejects.toMatchObject({ code: 'cancelled' });
});

it('what stays otherwise is told, when it had its time', async () => {
  await expect(readBack(() => undefined, Deadline.in(120))).rejects.toMatchObject({ code: 'verify_failed' });
});
