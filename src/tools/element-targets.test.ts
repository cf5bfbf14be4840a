import { afterEach, beforeEach, expect, it } from 'vitest';
import { officeSpec } from '../../tests/scenes/office.js';
import { fakeDesktop } from '../drivers/fake/index.js';
import { Desktop, perform } from '../runtime/index.js';
import { DesktopError } from '../shared/index.js';
import type { Element, Snapshot } from '../tree/index.js';
import { failureText, TOOLS, type ToolArgs } from './index.js';

let desktop: Desktop;
let snapshot: Snapshot;
let save: Element;

beforeEach(async () => {
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fakeDesktop(officeSpec()).driver });
  snapshot = (await call('ui_snapshot', { window: 'w1', full: true })).json as unknown as Snapshot;
  save = named(snapshot.roots, 'Save')!;
});
afterEach(() => desktop.close());

const call = (tool: string, args: unknown) => perform(desktop, TOOLS, { tool, args, caller: 'me' });
const named = (elements: Element[], name: string): Element | undefined =>
  elements.find((one) => one.role === 'button' && one.name === name) ??
  elements.map((one) => named(one.children, name)).find(Boolean);
const answer = (tool: string, args: unknown): Promise<string> =>
  call(tool, args).then(
    ({ text }) => text,
    (error: unknown) => (error instanceof DesktopError ? failureText(error) : Promise.reject(error as Error)),
  );

it.each(['ref', 'id'] as const)('a program may name a target by its snapshot and its %s there', async (by) => {
  const target: ToolArgs['ui_click']['target'] = { snapshotId: snapshot.id, elementId: save[by] };
  expect(await answer('ui_describe', { target })).toContain(`${save.ref} button "Save" in w1`);
  expect(await answer('ui_click', { target })).toMatch(
    new RegExp(`^[a-z ]+: click ${save.ref} button "Save" in w1, by pattern`),
  );
  const steps = [{ tool: 'ui_read', target }];
  expect(await answer('ui_batch', { steps })).toMatch(new RegExp(`${save.ref} button "Save"`));
  const drag = { from: target, to: target } satisfies ToolArgs['ui_drag'];
  expect(await answer('ui_drag', drag)).not.toMatch(/bad_arguments/);
});

it('what was not in that snapshot is refused, and nothing is done', async () => {
  const part = (await call('ui_snapshot', { window: 'w2' })).json as unknown as Snapshot;
  const target = { snapshotId: part.id, elementId: save.ref };
  const says = `failed: element_not_found. There was no element "${save.ref}" in the snapshot "${part.id}". Delivered: no.`;
  expect(await answer('ui_click', { target })).toContain(says);
  expect(await answer('ui_batch', { steps: [{ tool: 'ui_click', target }] })).toMatch(/Nothing was done\./);
  expect(await answer('ui_click', { target: { snapshotId: snapshot.id } })).toMatch(
    /bad_arguments\. .*target must be a string/,
  );
});
