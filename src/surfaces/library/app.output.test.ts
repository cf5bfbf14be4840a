import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppOutput } from './app.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** An output, and whether it keeps the process alive now. */
function watched(): { output: AppOutput; held: () => Promise<boolean> } {
  let holds = 0;
  const output = new AppOutput(() => (holds++, () => void holds--));
  const held = async (): Promise<boolean> => {
    await soon();
    return holds > 0;
  };
  return { output, held };
}

test('does not keep the process alive while nothing reads the output', async () => {
  const { output, held } = watched();
  output.add(base64('hi'));
  output.on('close', () => undefined);
  expect(await held()).toBe(false);
  expect(String(output.read())).toBe('hi');
  expect(await held()).toBe(false);
});

test('keeps the process alive while a loop reads, until the loop is left', async () => {
  const { output, held } = watched();
  const loop = output[Symbol.asyncIterator]();
  const first = loop.next();
  expect(await held()).toBe(true);
  output.add(base64('hi'));
  expect(String((await first).value)).toBe('hi');
  await loop.return?.();
  expect(await held()).toBe(false);
  output.add(base64('late'));
  output.finish();
});

test('keeps the process alive while the stream flows, until it is paused', async () => {
  const { output, held } = watched();
  output.on('data', () => undefined);
  expect(await held()).toBe(true);
  output.pause();
  expect(await held()).toBe(false);
  output.resume();
  expect(await held()).toBe(true);
});

test.each<[string, (output: AppOutput) => unknown]>([
  ['a reader in flowing mode', (output) => output.on('data', () => undefined)],
  ['a readable listener that reads nothing', (output) => output.on('readable', () => undefined)],
])('releases the process when the output ends: %s', async (_, read) => {
  const { output, held } = watched();
  read(output);
  expect(await held()).toBe(true);
  output.add(base64('last'));
  output.finish();
  expect(await held()).toBe(false);
});

test('delivers everything to a reader that starts after the end', async () => {
  const { output, held } = watched();
  output.add(base64('a'));
  output.add(base64('b'));
  output.finish();
  let all = '';
  for await (const some of output) all += String(some);
  expect([all, await held()]).toEqual(['ab', false]);
});
