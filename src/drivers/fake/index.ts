import { readFileSync } from 'node:fs';
import type { DriverModule, TreeDriver } from '../contract/index.js';
import { FakeActions } from './acts.js';
import { FakeWindowManager } from './window-manager.js';
import { Controls } from './controls.js';
import { FakeDriver } from './driver.js';
import { parseRecording, specOf } from './recording.js';
import type { DesktopSpec } from './spec.js';
import { World } from './world.js';

export type { Controls } from './controls.js';
export { parseRecording, record, specOf } from './recording.js';
export type { DesktopSpec, WidgetSpec, WindowSpec } from './spec.js';

export interface FakeDesktop {
  /** Tests that leave out `read` must not call it. */
  driver: TreeDriver;
  /** Changes the desktop from outside. */
  controls: Controls;
  /** What the apps did, one line per effect: `invoke button "Save"`. */
  diary: readonly string[];
}

/** An in-memory desktop with real semantics, for tests, examples and rehearsals. */
export function fakeDesktop(spec: DesktopSpec): FakeDesktop {
  const world = new World(spec);
  const controls = new Controls(world);
  const acts = new FakeActions(world, controls, spec.keyboard);
  const driver = new FakeDriver(world, spec.without, acts, new FakeWindowManager(world, controls));
  return { driver: driver as TreeDriver, controls, diary: acts.diary };
}

/** Opens a recorded desktop, or an empty one. */
export const driver: DriverModule = {
  name: 'fake',
  platforms: [],
  kind: 'recording',
  open: async ({ file }) => {
    const spec = file === undefined ? { windows: [] } : specOf(parseRecording(readFileSync(file, 'utf8')));
    return fakeDesktop(spec).driver;
  },
  examine: async () => [{ level: 'ok', what: 'a recorded desktop needs nothing' }],
};
