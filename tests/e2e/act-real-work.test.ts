import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perform, type Performed } from '../../src/runtime/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { ACTS, failureText, TOOLS } from '../../src/tools/index.js';
import { AppRoom } from './support/app-room.js';

// Real work on real apps, through the doorway; what came of it is read from the app's own file or its own field.

let room: AppRoom;
beforeAll(async () => {
  room = await AppRoom.open();
});
afterAll(() => room.real.stop());

async function act(tool: string, args: Record<string, unknown>): Promise<Performed> {
  try {
    return await perform(room.real.desktop, [...TOOLS, ...ACTS], { tool, args, caller: 'test', timeoutMs: 20_000 });
  } catch (error) {
    if (error instanceof DesktopError) throw new Error(failureText(error), { cause: error });
    throw error;
  }
}

describe('gnome-calculator', () => {
  test('computes 12.5 × 8', async () => {
    await room.start(/Calculator/, 'gnome-calculator');
    for (const key of ['1', '2', '.', '5', '×', '8', '=']) {
      const { json, text } = await act('ui_click', { target: `app=gnome-calculator >> button:"${key}"` });
      expect(json, text).toMatchObject({ status: 'ok', method: 'pattern', delivered: 'yes', changed: 'yes' });
    }
    const { json } = await act('ui_wait', { until: 'app=gnome-calculator >> role=textbox && value="100"' });
    expect(json).toMatchObject({ satisfied: true });
  });
});

describe('mousepad', () => {
  const TEXT = 'héllo 日本 😀 Ω€\n';

  test('writes a text and saves it through its menus and dialogs', async () => {
    await room.start(/Mousepad/, 'mousepad');
    const typed = await act('ui_type', { target: 'app=mousepad >> role=textbox', text: TEXT });
    expect(typed.json, typed.text).toMatchObject({ status: 'ok', delivered: 'yes' });
    const opened = await act('ui_click', {
      target: 'app=mousepad >> menuitem:"Save As..."',
      verify: { window: 'Save As' },
    });
    expect(opened.json, opened.text).toMatchObject({ status: 'ok', postcondition: 'satisfied' });
    const path = join(room.directory, 'notes.txt');
    const named = await act('ui_set_value', { target: 'window="Save As" >> textbox:Name', value: path });
    expect(named.json, named.text).toMatchObject({ status: 'ok', readBack: 'same' });
    const saved = await act('ui_click', {
      target: 'window="Save As" >> button:Save',
      verify: { windowClosed: 'Save As' },
    });
    expect(saved.json, saved.text).toMatchObject({ status: 'ok', postcondition: 'satisfied' });
    await act('ui_wait', { until: { window: 'notes.txt' } });
    expect(await readFile(path, 'utf8')).toBe(TEXT);
  });

  test('is closed by the window manager', async () => {
    const closed = await act('ui_window', { action: 'close', window: 'notes.txt' });
    expect(closed.json, closed.text).toMatchObject({ status: 'ok' });
    expect(closed.text).toMatch(/confirmed by the window manager/);
  });
});
