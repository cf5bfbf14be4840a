import type { Driver } from '../contract/index.js';
import { Controls } from './controls.js';
import { FakeDriver } from './driver.js';
import type { DesktopSpec } from './spec.js';
import { World } from './world.js';

export type { Controls } from './controls.js';
export { parseRecording, record, specOf } from './recording.js';
export type { Recording } from './recording.js';
export type { CellSpec, DesktopSpec, ListSpec, TableSpec, WidgetSpec, WindowSpec } from './spec.js';

export interface FakeDesktop {
  driver: Driver;
  /** What happens to the desktop from outside. */
  controls: Controls;
}

/** An in-memory desktop with real semantics, for tests, examples and rehearsals. */
export function fakeDesktop(spec: DesktopSpec): FakeDesktop {
  const world = new World(spec);
  return { driver: new FakeDriver(world, spec.without), controls: new Controls(world) };
}
