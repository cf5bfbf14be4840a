import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Output } from './app.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** An output, and whether it keeps the process alive now. */
function watched(): { output: Output; held: () => Promise<boolean> } {
  let holds = 0;
  const output = new Output(() => (holds++, () => void holds--));
  const held = async (): Promise<boolean> => {
    await soon();
    return holds > 0;
  };
  return { output, held };
}

test('what nobody reads holds nothing, however much comes', async () => {
  const { output, held } = watched();
  output.add(base64('hi'));
  output.on('close', () => undefined);
  expect(await held()).toBe(false);
  expect(String(output.read())).toBe('hi');
  expect(await held()).toBe(false);
});

test('a loop holds until it is left', async () => {
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

test('what flows holds until it is paused', async () => {
  const { output, held } = watched();
  output.on('data', () => undefined);
  expect(await held()).toBe(true);
  output.pause();
  expect(await held()).toBe(false);
  output.resume();
  expect(await held()).toBe(true);
});

test.each<[string, (output: Output) => unknown]>([
  ['who lets it flow', (output) => output.on('data', () => undefined)],
  ['who listens and takes nothing', (output) => output.on('readable', () => undefined)],
])('when nothing comes any more nobody holds: %s', async (_, read) => {
  const { output, held } = watched();
  read(output);
  expect(await held()).toBe(true);
  output.add(base64('last'));
  output.finish();
  expect(await held()).toBe(false);
});

test('who reads after the end gets all of it', async () => {
  const { output, held } = watched();
  output.add(base64('a'));
  output.add(base64('b'));
  output.finish();
  let all = '';
  for await (const some of output) all += String(some);
  expect([all, await held()]).toEqual(['ab', false]);
});
