import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver, PrivateDesktop } from '../../../src/drivers/contract/index.js';
import { openDesktop } from '../../../src/compose.js';
import { compilePolicy, type PolicyFile } from '../../../src/policy/index.js';
import { perform, type Desktop, type Performed } from '../../../src/runtime/index.js';
import { Deadline, DesktopError } from '../../../src/shared/index.js';
import { failureText, TOOLS } from '../../../src/tools/index.js';
import type { Element, Role, Snapshot } from '../../../src/tree/index.js';
import { until } from './seat-room.js';

/** A private desktop with everything behind the surfaces: the tools as a caller gets them, and the driver below. */
export interface RealDesktop {
  seat: PrivateDesktop;
  desktop: Desktop;
  driver: Driver;
  call(tool: string, args?: Record<string, unknown>): Promise<Performed>;
  /** A snapshot as data; fails when the window does not answer. */
  snapshot(args?: Record<string, unknown>): Promise<Snapshot>;
  /** What a model would read of a call that must fail. */
  failure(tool: string, args?: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

export const soon = (): Deadline => Deadline.in(15_000);

/** Tests do more in a minute than any user, and start a program that no menu has. The rest is the built-in policy. */
const UNHURRIED: PolicyFile = {
  version: 1,
  limits: { capturesPerMinute: 100_000, actsPerMinute: 100_000, launchesPerMinute: 100_000 },
  launch: { allow: ['/usr/bin/xclock'] },
};

export async function openRealDesktop(size = { width: 1280, height: 900 }, monitors: 1 | 2 = 1): Promise<RealDesktop> {
  const directory = await mkdtemp(join(tmpdir(), 'dp-real-'));
  const places = { runtimeDir: join(directory, 'run'), homeDir: join(directory, 'home') };
  const name = `real-${process.pid}`;
  const options = { kind: 'virtual', name, size, monitors, visible: false, ...places } as const;
  const open = await openDesktop(options, undefined, { policy: compilePolicy({ user: UNHURRIED }, 'virtual') });
  const call: RealDesktop['call'] = (tool, args) =>
    perform(open.desktop, TOOLS, { tool, args, caller: 'test', timeoutMs: 15_000 });
  return {
    seat: open.seat!,
    desktop: open.desktop,
    driver: open.desktop.driver,
    call,
    snapshot: async (args) => (await call('ui_snapshot', args)).json as unknown as Snapshot,
    failure: async (tool, args) => {
      let got = '';
      try {
        got = (await call(tool, args)).text;
      } catch (error) {
        if (error instanceof DesktopError) return failureText(error);
        throw error;
      }
      throw new Error(`${tool} ${JSON.stringify(args)} did not fail: ${got}`);
    },
    stop: async () => {
      await open.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function* everyElement(root: { roots: Element[] } | Element): Generator<Element> {
  if ('roots' in root) {
    for (const one of root.roots) yield* everyElement(one);
    return;
  }
  yield root;
  for (const child of root.children) yield* everyElement(child);
}

/** All that have this role and, if one is given, this name. */
export function elements(root: Snapshot | Element, role: Role | undefined, name?: string | RegExp): Element[] {
  const fits = (text = ''): boolean => (name instanceof RegExp ? name.test(text) : text === name);
  return [...everyElement(root)].filter(
    (element) => (role === undefined || element.role === role) && (name === undefined || fits(element.name)),
  );
}

/** Exactly one, or the test fails with what there is; where it is waited for, it is waited for. */
export function theOne(root: Snapshot | Element, role: Role | undefined, name?: string | RegExp): Element {
  const found = elements(root, role, name);
  if (found.length === 1) return found[0]!;
  const there = [...everyElement(root)].map((element) => `${element.role} ${JSON.stringify(element.name ?? '')}`);
  throw new DesktopError(
    'element_not_found',
    `${found.length} are ${role ?? ''} ${String(name)}; there are: ${there.join(', ')}`,
  );
}

/** A snapshot that fits, as soon as there is one: apps draw, and report it, later than requested. */
export function snapshotUntil(
  real: RealDesktop,
  what: string,
  fits: (snapshot: Snapshot) => unknown,
  args: Record<string, unknown> = {},
): Promise<Snapshot> {
  return until(what, async () => {
    try {
      const snapshot = await real.snapshot(args);
      return (await fits(snapshot)) ? snapshot : undefined;
    } catch (error) {
      // No such window yet, or busy with its start: both pass.
      if (error instanceof DesktopError && ['element_not_found', 'app_hung'].includes(error.code)) return undefined;
      throw error;
    }
  });
}
