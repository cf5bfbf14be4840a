import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DesktopEvent } from '../../src/runtime/index.js';
import { HostRoom } from './support/host-room.js';
import { ask, until } from './support/seat-room.js';

let room: HostRoom;
beforeAll(async () => {
  room = await HostRoom.open();
});
afterAll(() => room?.close());

const heard: DesktopEvent[] = [];

/** The first matching focus event. Each event must name its window. */
async function focusIn(title: RegExp): Promise<DesktopEvent> {
  return until(`a focus in ${String(title)}`, async () => {
    const { json } = await room.call('ui_events', { limit: 500 });
    heard.push(...(json as { events: DesktopEvent[] }).events);
    for (const one of heard) if (one.what === 'focus') expect(one).toHaveProperty('window');
    return heard.find(({ what, window }) => what === 'focus' && title.test(window!.title));
  });
}

it('reports a focus with its window, also in a window that has just opened', async () => {
  const { window } = await room.launch('mousepad');
  expect((await focusIn(/Mousepad$/)).window?.ref).toBe(window.ref);
  await ask('xdotool', ['key', 'ctrl+o'], room.seatEnv);
  const { window: dialog } = await focusIn(/^Open File$/);
  expect(dialog).toMatchObject({ role: 'dialog' });
  expect(dialog!.ref).not.toBe(window.ref);
  // A window is reported before the events inside it.
  const order = heard.flatMap(({ what, window: at }) => (at?.ref === dialog!.ref ? [what] : []));
  expect(order.indexOf('opened')).toBe(0);
});
