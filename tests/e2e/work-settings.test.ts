import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/seat-room.js';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
beforeAll(async () => {
  work = await WorkRoom.open();
  await work.launch('featherpad');
  const target = 'app=featherpad >> menuitem:Preferences';
  await work.act('ui_click', { target, verify: { window: 'Preferences' } });
});
afterAll(() => work?.close());

const labelled = (label: string, role: string): string => `"${label}" >> right-of >> role=${role} >> nth=0`;

/** In this order: the size can be given only when it is not remembered. */
const STEPS: [string, Record<string, unknown>][] = [
  ['ui_act', { action: 'uncheck', target: 'checkbox:"Remember window size on closing"' }],
  ['ui_set_value', { target: labelled('Start with this size:', 'spinbutton'), value: 812 }],
  ['ui_set_value', { target: labelled('×', 'spinbutton'), value: 634 }],
  ['ui_act', { action: 'check', target: 'checkbox:"Start with side-pane mode"' }],
  ['ui_set_value', { target: labelled('Tab position:', 'combobox'), value: 'South' }],
  ['ui_click', { target: 'tab:Text' }],
  ['ui_click', { target: 'checkbox:"Always show line numbers"' }],
];

test.each(STEPS)('%s %j', async (tool, args) => {
  await work.act(tool, args);
});

test('the app has written all of it into its settings', async () => {
  const target = 'window=Preferences >> button:Close';
  await work.act('ui_click', { target, verify: { windowClosed: 'Preferences' } });
  await work.act('ui_window', { action: 'close', window: 'Untitled' });
  const file = join(work.home, '.config', 'featherpad', 'fp.conf');
  const wanted = ['size=none', 'startSize=@Size(812 634)', 'sidePaneMode=true', 'lineNumbers=true', 'tabPosition=1'];
  const lines = async (): Promise<string[]> => (await readFile(file, 'utf8').catch(() => '')).split('\n');
  await until('its settings', async () => (await lines()).includes(wanted[0]!));
  expect((await lines()).filter((line) => wanted.includes(line)).sort()).toEqual([...wanted].sort());
});
