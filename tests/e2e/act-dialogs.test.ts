import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WindowNode } from '../../src/tree/index.js';
import { ActRoom, by, soon, text } from './support/act-room.js';
import { until } from './support/seat-room.js';

/** Half a second is the aim; a machine that runs other tests gets more. */
const READ_MS = 2_500;
const TEXT = 'héllo 日本 😀 Ω€\nsecond line\n';

let room: ActRoom;
let mousepad: WindowNode;
beforeAll(async () => {
  room = await ActRoom.open();
  const { pid } = await room.seat.launch('mousepad', []);
  mousepad = await room.window((window) => window.pid === pid && window.active);
});
afterAll(() => room?.close());

test('mousepad saves under a new name by closed menu item, dialog and all, without mouse and keys', async () => {
  const path = join(room.directory, 'written by pattern.txt');
  await room.act(await room.find(mousepad, 'textbox', /^$/), text(TEXT));

  await room.act(await room.find(mousepad, 'menuitem', /^Save As/), by('invoke'));
  const request = performance.now();
  const dialog = await room.window(({ pid, role }) => pid === mousepad.pid && role === 'dialog');
  const nodes = await room.nodes(dialog);
  expect(performance.now() - request).toBeLessThan(READ_MS);
  expect(nodes.length).toBeGreaterThan(10);
  // The app serves others while the dialog waits: its main window is read as well.
  expect((await room.nodes(mousepad)).length).toBeGreaterThan(10);

  await room.act(await room.find(dialog, 'textbox', /^Name:?$/), text(path));
  const save = await until('Save to be enabled', async () => {
    const button = await room.find(dialog, 'button', 'Save');
    return button.states.enabled ? button : undefined;
  });
  await room.act(save, by('invoke'));
  await until('the file', async () => (await readFile(path, 'utf8').catch(() => '')) === TEXT);
  await until('the dialog to close', async () => (await room.windows()).every(({ id }) => id !== dialog.id));

  const title = async () => (await room.windows()).find(({ id }) => id === mousepad.id)?.title;
  await until('the new title', async () => /written by pattern/.test((await title()) ?? ''));
});

test('a dialog that an act opened takes keys, and the app goes on', async () => {
  await room.act(await room.find(mousepad, 'menuitem', /^Open\.\.\./), by('invoke'));
  const dialog = await room.window(({ pid, role, active }) => pid === mousepad.pid && role === 'dialog' && active);
  await room.find(dialog, 'button', 'Cancel');
  await room.keys('ctrl+l');
  await room.find(dialog, 'textbox', 'Location');
  await room.keys('x', 'y', 'z');
  await until('what was typed', async () =>
    (await room.nodes(dialog)).some(({ name, value }) => name === 'Location' && value === 'xyz'),
  );
  await room.act(await room.find(dialog, 'button', 'Cancel'), by('invoke'));
  await until('the dialog to close', async () => (await room.windows()).every(({ id }) => id !== dialog.id));
});

test('one dialog after the other: no connection is left behind', async () => {
  const once = async (): Promise<void> => {
    await room.act(await room.find(mousepad, 'menuitem', /^About/), by('invoke'));
    const dialog = await room.window(({ pid, role }) => pid === mousepad.pid && role === 'dialog');
    await room.driver.changeWindow!(dialog.id, { action: 'close' }, { deadline: soon() });
    await until('the dialog to close', async () => (await room.windows()).every(({ id }) => id !== dialog.id));
  };
  await once();
  const before = await openSockets();
  for (let time = 0; time < 12; time++) await once();
  await until('the connections to be given back', async () => (await openSockets()) <= before + 1);
});

/** Of this process, by the kernel's word. */
async function openSockets(): Promise<number> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith('socket:')).length;
}
