// Where the same button is clicked: on a desktop in memory, and in a GTK 3 app on a private one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeDesktop } from '../dist/drivers/fake/index.js';
import { bootPrivateDesktop, openLinuxDriver } from '../dist/drivers/linux/index.js';
import { perform, TOOLS } from './house.mjs';
import { startDiaryApp } from './diary-app.mjs';

const click = (desktop, target) =>
  perform(desktop, TOOLS, {
    tool: 'ui_click',
    args: { target, method: 'pattern', settleMs: 0 },
    caller: 'bench',
  });

export async function fakeScene() {
  const notes = {
    ...{ key: 'notes', title: 'Notes', app: 'notes', bounds: { x: 0, y: 0, width: 400, height: 400 } },
    // Ticked each time, so that its effect is seen at once.
    children: [{ role: 'checkbox', name: 'Wrap', states: { checked: false } }],
  };
  return {
    driver: fakeDesktop({ windows: [notes] }).driver,
    act: (desktop) => click(desktop, 'checkbox:Wrap'),
    close: async () => undefined,
  };
}

export async function gtkScene() {
  // A socket's path is short.
  const directory = await mkdtemp(join(tmpdir(), 'dp-bench-'));
  const places = { runtimeDir: join(directory, 'run'), homeDir: join(directory, 'home') };
  const size = { width: 1280, height: 900 };
  const seat = await bootPrivateDesktop({
    name: `govern-${process.pid}`,
    size,
    monitors: 1,
    visible: false,
    ...places,
  });
  const close = async () => {
    await seat.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const app = await startDiaryApp('act-gtk3.py', seat.env);
    return {
      driver: await openLinuxDriver({ env: seat.env }),
      act: async (desktop) => {
        const from = app.diary.length;
        await click(desktop, 'Bold');
        if (!(await app.arrived(from, ({ toggled }) => toggled === 'Bold'))) throw new Error('a click did not arrive');
      },
      close: async () => {
        app.end();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
