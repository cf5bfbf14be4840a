import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { DesktopError } from '../../../src/shared/index.js';
import {
  centre,
  isInteractive,
  withoutUntrustedMarkers,
  type Element,
  type Role,
  type Size,
  type Snapshot,
} from '../../../src/tree/index.js';
import { everyElement, openRealDesktop, soon, theOne, type RealDesktop } from './real-desktop.js';
import { until } from './seat-room.js';

const run = promisify(execFile);

/** What a model would count. */
export const tokensOf = (text: string): number => encode(text).length;

/** A private desktop with real apps in it, and a simulated user: keys and clicks come from xdotool, not from us. */
export class AppRoom {
  private constructor(
    readonly real: RealDesktop,
    /** For the documents of this test. */
    readonly directory: string,
  ) {}

  static async open(options: { size?: Size; monitors?: 1 | 2 } = {}): Promise<AppRoom> {
    const real = await openRealDesktop(options.size ?? { width: 1600, height: 1000 }, options.monitors);
    return new AppRoom(real, await mkdtemp(join(tmpdir(), 'dp-app-')));
  }

  async file(name: string, text: string): Promise<string> {
    const path = join(this.directory, name);
    await writeFile(path, text);
    return path;
  }

  /** Starts an app and waits until its window is active and has a tree. */
  async start(title: RegExp, command: string, ...args: string[]): Promise<App> {
    await this.real.seat.launch(command, args);
    return this.window(title);
  }

  /** Waits for a window with a tree: an app registers windows with the display first, with accessibility later. */
  async window(title: RegExp): Promise<App> {
    return until(`a window ${String(title)} with something in it`, async () => {
      const { windows } = await this.real.desktop.listWindows(soon());
      const found = windows.find((one) => title.test(one.title) && one.visible && one.active);
      if (!found) return undefined;
      const app = new App(this, found.ref, found.id);
      const snapshot = await app.trySnapshot();
      return snapshot && snapshot.count > 1 ? app : undefined;
    });
  }

  async xdotool(...args: (string | number)[]): Promise<string> {
    const { stdout } = await run('xdotool', args.map(String), { env: { ...this.real.seat.env } });
    return stdout;
  }

  keys(...keys: string[]): Promise<string> {
    return this.xdotool('key', '--delay', '30', ...keys);
  }

  typeText(text: string): Promise<string> {
    return this.xdotool('type', '--delay', '30', text);
  }

  /** Where a user would click it. */
  async click(element: Element): Promise<void> {
    const { x, y } = element.clickPoint ?? centre(element.bounds!);
    await this.xdotool('mousemove', x, y, 'click', 1);
  }

  async close(): Promise<void> {
    await this.real.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export class App {
  constructor(
    readonly room: AppRoom,
    readonly ref: string,
    private readonly id: string,
  ) {}

  /** As a model gets it, first line and marks taken off. */
  async text(args: Record<string, unknown> = {}): Promise<string> {
    const { text } = await this.room.real.call('ui_snapshot', { window: this.ref, ...args });
    return withoutUntrustedMarkers(text);
  }

  snapshot(): Promise<Snapshot> {
    return this.room.real.snapshot({ window: this.ref });
  }

  /** Undefined while the app is busy with itself. */
  async trySnapshot(): Promise<Snapshot | undefined> {
    try {
      return await this.snapshot();
    } catch (error) {
      if (error instanceof DesktopError && ['element_not_found', 'app_hung'].includes(error.code)) return undefined;
      throw error;
    }
  }

  /** The first snapshot that fits: apps draw, and report it, later than requested. */
  until(what: string, fits: (snapshot: Snapshot) => unknown): Promise<Snapshot> {
    return until(what, async () => {
      const snapshot = await this.trySnapshot();
      return snapshot && fits(snapshot) ? snapshot : undefined;
    });
  }

  async the(role: Role, name?: string | RegExp): Promise<Element> {
    return theOne(await this.snapshot(), role, name);
  }

  async activate(): Promise<void> {
    await this.room.xdotool('windowactivate', '--sync', Number(this.id.slice(2)));
    await until('the window to be active', async () => {
      const { windows } = await this.room.real.desktop.listWindows(soon());
      return windows.find(({ ref }) => ref === this.ref)?.active;
    });
  }

  /** By the middle button of its title bar: a maximised window does not let itself be moved. */
  async unmaximise(): Promise<void> {
    const self = async () => {
      const { windows } = await this.room.real.desktop.listWindows(soon());
      return windows.find(({ ref }) => ref === this.ref)!;
    };
    const { bounds } = await self();
    await this.room.xdotool('mousemove', bounds!.x + bounds!.width - 26, bounds!.y + 10, 'click', 1);
    await until('the window not to be maximised', async () => !(await self()).maximised);
  }

  async move(x: number, y: number): Promise<void> {
    await this.room.xdotool('windowmove', '--sync', Number(this.id.slice(2)), x, y);
  }

  async resize({ width, height }: Size): Promise<void> {
    await this.room.xdotool('windowsize', '--sync', Number(this.id.slice(2)), width, height);
  }
}

const AT_ONCE = 6;
/** So many, from all over the window, are also read alone. */
const ALONE = 24;

/**
 * What is wrong with the places of all controls that can be seen: the middle of each must be in it, by the app's own
 * word, and read alone it must be the same thing at the same place. Returns how many were checked.
 */
export async function checkClickPoints(
  app: App,
  which: (control: Element) => boolean = () => true,
): Promise<{ checked: number; wrong: string[] }> {
  const { driver, desktop } = app.room.real;
  // Out of the way: a tool tip would cover what is below it.
  await app.room.xdotool('mousemove', 0, 0);
  const snapshot = await app.snapshot();
  const controls = [...everyElement(snapshot)].filter(
    (one) => isInteractive(one) && one.bounds && one.states.visible && !one.states.offscreen && which(one),
  );
  const window = desktop.refs.get(app.ref)!.id;
  const wrong: string[] = [];
  const step = Math.ceil(controls.length / ALONE);
  const check = async (control: Element): Promise<void> => {
    const words = `${control.role} ${JSON.stringify(control.name ?? '')} ${JSON.stringify(control.bounds)}`;
    const found = await driver.atPoint!(control.clickPoint ?? centre(control.bounds!), { deadline: soon() });
    const path = found?.path.map(({ id }) => id) ?? [];
    if (found?.window !== window || !path.includes(control.id)) {
      const last = found?.path.at(-1);
      wrong.push(`${words}: in its middle is ${last?.role} ${JSON.stringify(last?.name ?? '')}`);
    }
    if (controls.indexOf(control) % step !== 0) return;
    const { root: alone } = await driver.read!({ element: control.id }, { deadline: soon(), depth: 0 });
    const same = (['role', 'name', 'bounds'] as const).every(
      (key) => JSON.stringify(alone[key]) === JSON.stringify(control[key]),
    );
    if (!same) wrong.push(`${words}: alone it is ${alone.role} "${alone.name}" ${JSON.stringify(alone.bounds)}`);
  };
  for (let at = 0; at < controls.length; at += AT_ONCE) {
    await Promise.all(controls.slice(at, at + AT_ONCE).map(check));
  }
  return { checked: controls.length, wrong };
}
