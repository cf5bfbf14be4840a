// The desktop on which everything is measured: three apps of three toolkits on a private display.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openApps } from '../dist/drivers/linux/session-bus.js';
import { Deadline, openDesktop } from './house.mjs';
import { fullWalk } from './full-walk.mjs';
import { CELLS, servePage } from './orders-page.mjs';

const SOON_MS = 60_000;

export const soon = () => Deadline.in(SOON_MS);

/** Starts the desktop and its apps; `say` is told what is being waited for. */
export async function openScene(say) {
  const directory = await mkdtemp(join(tmpdir(), 'dp-bench-'));
  const page = await servePage();
  const opened = await openDesktop({
    kind: 'virtual',
    name: `bench-${process.pid}`,
    size: { width: 1920, height: 1080 },
    monitors: 1,
    visible: false,
    runtimeDir: join(directory, 'run'),
    homeDir: join(directory, 'home'),
  });
  const { apps } = await openApps(opened.seat.env, soon());
  const scene = {
    desktop: opened.desktop,
    driver: opened.desktop.driver,
    env: opened.seat.env,
    apps,
    close: async () => {
      apps.close();
      await opened.close();
      page.close();
      page.closeAllConnections();
      await rm(directory, { recursive: true, force: true });
    },
  };
  try {
    const windows = await startApps(opened.seat, scene, page.address().port, say);
    return Object.assign(scene, { windows, measured: measuredApps(windows) });
  } catch (error) {
    await scene.close();
    throw error;
  }
}

async function startApps(seat, scene, port, say) {
  say('gtk3-widget-factory');
  await seat.launch('gtk3-widget-factory', []);
  const factory = await settled(scene, 'GTK 3', (window) => window.app.includes('gtk3-widget-factory'));
  say('LibreOffice Writer');
  await seat.launch('soffice', ['--writer']);
  const writer = await settled(scene, 'Writer', (window) => /Writer/.test(window.title));
  say('LibreOffice Calc');
  await seat.launch('soffice', ['--calc']);
  const calc = await settled(scene, 'Calc', (window) => /Calc/.test(window.title));
  say('Chromium');
  await seat.launch('chromium', ['--window-size=1200,900', `http://127.0.0.1:${port}/`]);
  const chromium = await settled(scene, 'Chromium', (window) => /Orders/.test(window.title), CELLS);
  return { factory, writer, calc, chromium };
}

function measuredApps({ factory, writer, chromium }) {
  return [
    { key: 'gtk3', title: 'gtk3-widget-factory', pid: factory.pid, aim: 2 },
    { key: 'libreoffice', title: 'LibreOffice Writer + Calc', pid: writer.pid, aim: 4 },
    { key: 'chromium', title: 'Chromium, 1,600-cell table', pid: chromium.pid, aim: 4 },
  ];
}

/** The driver's way to an app, with a deadline of its own. */
export async function callsTo(scene, pid) {
  const app = (await scene.apps.list(soon())).find((one) => one.pid === pid);
  if (!app) throw new Error(`no app with pid ${pid} on the accessibility bus`);
  return (await scene.apps.connect(app, soon())).until(soon());
}

/** The window once it is there and its app's tree has had the same size three times: apps build theirs bit by bit. */
async function settled(scene, name, fits, atLeast = 0) {
  const end = performance.now() + SOON_MS;
  let sizes = [];
  while (performance.now() < end) {
    await pause(250);
    const { windows } = await scene.driver.windows({ deadline: soon() });
    const window = windows.find(fits);
    if (!window) continue;
    const { nodes } = await sizeOf(scene, window.pid);
    if (nodes <= Math.max(10, atLeast)) continue;
    sizes = [...sizes, nodes].slice(-3);
    if (sizes.length === 3 && new Set(sizes).size === 1) return window;
  }
  throw new Error(`${name} was not there after ${SOON_MS / 1000} s`);
}

async function sizeOf(scene, pid) {
  try {
    return await fullWalk(await callsTo(scene, pid));
  } catch (error) {
    if (error instanceof TypeError) throw error; // A mistake in this program.
    return { nodes: 0 }; // Not on the bus yet; asked again.
  }
}

/** A page as shops have them: a small form and a long table. */
