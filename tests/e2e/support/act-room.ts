import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Driver, PatternAct, PatternAnswer, PrivateDesktop } from '../../../src/drivers/contract/index.js';
import { bootPrivateDesktop, openLinuxDriver } from '../../../src/drivers/linux/index.js';
import { Deadline, DesktopError } from '../../../src/shared/index.js';
import type { Node, Role, WindowNode } from '../../../src/tree/index.js';
import { everyNode } from '../../conformance/case.js';
import type { DiaryLine } from '../../conformance/fixture-app.js';
import { until } from './seat-room.js';

const run = promisify(execFile);

export const soon = (): Deadline => Deadline.in(10_000);
export const by = (kind: PatternAct['kind']): PatternAct => ({ kind }) as PatternAct;
export const text = (value: string): PatternAct => ({ kind: 'setText', text: value });
export const number = (value: number): PatternAct => ({ kind: 'setNumber', value });

/** A private desktop and the driver on it; what apps did is asked of them, where the pointer is of xdotool. */
export class ActRoom {
  private constructor(
    readonly seat: PrivateDesktop,
    readonly driver: Driver,
    readonly directory: string,
  ) {}

  static async open(): Promise<ActRoom> {
    const directory = await mkdtemp(join(tmpdir(), 'dp-act-'));
    const seat = await bootPrivateDesktop({
      name: `act-${process.pid}`,
      size: { width: 1400, height: 1000 },
      monitors: 1,
      visible: false,
      runtimeDir: join(directory, 'run'),
      homeDir: join(directory, 'home'),
    });
    return new ActRoom(seat, await openLinuxDriver({ env: seat.env }), directory);
  }

  async windows(): Promise<WindowNode[]> {
    return (await this.driver.windows({ deadline: soon() })).windows;
  }

  window(fits: (window: WindowNode) => boolean): Promise<WindowNode> {
    return until('a window', async () => (await this.windows()).find((window) => fits(window) && window.visible));
  }

  /** All elements of a window, also those of closed menus and what is scrolled out. */
  async nodes({ id }: WindowNode): Promise<Node[]> {
    const { root } = await this.driver.read!({ window: id }, { deadline: soon(), full: true, fresh: true });
    return [...everyNode(root)];
  }

  find(window: WindowNode, role: Role | readonly Role[], name: string | RegExp): Promise<Node> {
    return until(`${String(role)} ${String(name)}`, async () => {
      const all = await this.nodes(window).catch(notYet);
      return all?.find((node) => [role].flat().includes(node.role) && fits(node, name));
    });
  }

  async act({ id }: Node, act: PatternAct, deadline = soon()): Promise<PatternAnswer> {
    const step = await this.driver.act!(id, act, { deadline });
    if ('done' in step) return step.done;
    throw new Error('an act without checkpoints paused at one');
  }

  /** The active window and the pointer, by another program's word. */
  async attention(): Promise<string> {
    const ask = async (...args: string[]) => (await run('xdotool', args, { env: { ...this.seat.env } })).stdout;
    const place = /x:\d+ y:\d+/.exec(await ask('getmouselocation'))?.[0];
    return `${(await ask('getactivewindow')).trim()} ${place}`;
  }

  async keys(...keys: string[]): Promise<void> {
    await run('xdotool', ['key', '--delay', '30', ...keys], { env: { ...this.seat.env } });
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.seat.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

const fits = (node: Node, name: string | RegExp): boolean =>
  typeof name === 'string' ? node.name === name : name.test(node.name ?? '');

export const has = (line: DiaryLine, fact: DiaryLine): boolean =>
  Object.entries(fact).every(([key, value]) => JSON.stringify(line[key]) === JSON.stringify(value));

/** An app that has just started may be too busy to answer. */
function notYet(error: unknown): undefined {
  if (error instanceof DesktopError && error.code === 'app_hung') return undefined;
  throw error;
}
