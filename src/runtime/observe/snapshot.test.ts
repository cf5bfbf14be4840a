import { CallView } from '../visibility/call-view.js';
import { afterEach, describe, expect, it } from 'vitest';
import { officeSpec, saveAs } from '../../../tests/scenes/office.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { Element, Snapshot } from '../../tree/index.js';
import { Desktop } from '../desktop/desktop.js';
import { takeSnapshot, type SnapshotOptions } from './snapshot.js';

const open: Desktop[] = [];

function office(fake: FakeDesktop = fakeDesktop(officeSpec())) {
  const desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fake.driver });
  open.push(desktop);
  const snapshotNow = (options: SnapshotOptions = {}, ms = 5_000) =>
    takeSnapshot(CallView.forUser(desktop), options, { deadline: Deadline.in(ms) });
  return { ...fake, desktop, snapshotNow };
}

afterEach(async () => {
  for (const desktop of open.splice(0)) await desktop.close();
});

const titles = (snapshot: Snapshot) => snapshot.windows.map((window) => window.title);
const refs = (element: Element): string[] => [element.ref, ...element.children.flatMap(refs)];

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof DesktopError ? `${error.code}: ${error.message}` : String(error)),
  );
}

describe('a snapshot', () => {
  it('is at the active window', async () => {
    const { snapshotNow } = office();
    const snapshot = await snapshotNow();
    expect(snapshot).toMatchObject({ schema: 1, untrusted: true, id: 's1', scope: 'window' });
    expect(snapshot.app).toMatchObject({ name: 'mousepad', title: '*Untitled 1 - Mousepad', window: 'w1' });
    expect(titles(snapshot)).toEqual(['*Untitled 1 - Mousepad']);
    expect(snapshot.roots[0]!.ref).toBe('w1');
    expect(snapshot.count).toBe(refs(snapshot.roots[0]!).length);
    expect(new Set(refs(snapshot.roots[0]!)).size).toBe(snapshot.count);
  });

  it('has the dialogs of its window; an active dialog stands alone', async () => {
    const { snapshotNow, controls } = office();
    controls.openWindow(saveAs);
    expect(titles(await snapshotNow())).toEqual(['Save As']);
    expect(titles(await snapshotNow({ window: 'Mousepad' }))).toEqual(['*Untitled 1 - Mousepad', 'Save As']);
  });

  it('is at everything that shows', async () => {
    const { snapshotNow, controls } = office();
    controls.minimise('mail');
    const snapshot = await snapshotNow({ window: '*' });
    expect(snapshot.scope).toBe('desktop');
    expect(titles(snapshot)).toEqual(['*Untitled 1 - Mousepad', 'Orders - Chromium']);
  });

  it('keeps the refs of what stays', async () => {
    const { snapshotNow } = office();
    const first = await snapshotNow();
    const second = await snapshotNow();
    expect(second.id).toBe('s2');
    expect(refs(second.roots[0]!)).toEqual(refs(first.roots[0]!));
  });

  it('keeps the last 32 and no more', async () => {
    const { snapshotNow, desktop } = office();
    for (let n = 0; n < 40; n++) await snapshotNow({ window: 'Mail' });
    expect(CallView.forUser(desktop).snapshot('s9').id).toBe('s9');
    expect(() => CallView.forUser(desktop).snapshot('s8')).toThrow('The snapshot "s8" no longer exists');
  });

  it('reports that there is no window', async () => {
    const { snapshotNow } = office(fakeDesktop({ windows: [] }));
    expect(await codeOf(snapshotNow())).toBe('element_not_found: No window is open here.');
    expect(await snapshotNow({ window: '*' })).toMatchObject({ count: 0, roots: [] });
  });

  it('reports progress', async () => {
    const many = Array.from({ length: 300 }, (_, n) => ({ role: 'label' as const, name: `L${n}`, height: 2 }));
    const { desktop } = office(fakeDesktop({ windows: [{ title: 'Many', app: 'many', children: many }] }));
    const seen: number[] = [];
    await takeSnapshot(
      CallView.forUser(desktop),
      {},
      { deadline: Deadline.in(5_000), onProgress: (count) => seen.push(count) },
    );
    expect(seen).toEqual([50, 100, 150, 200, 250, 300]);
  });
});

describe('a snapshot of apps in trouble', () => {
  it('a hung one alone is app_hung, by name', async () => {
    const { snapshotNow, controls } = office();
    controls.hang('editor');
    expect(await codeOf(snapshotNow())).toMatch(/^app_hung: mousepad \(w1\) did not answer/);
  });

  it('reports a hung window among others and reads the others', async () => {
    const { snapshotNow, controls } = office();
    controls.hang('orders');
    const snapshot = await snapshotNow({ window: '*' });
    expect(snapshot.degraded).toEqual({ reason: 'w2 does not answer' });
    expect(snapshot.windows.map((window) => Boolean(window.hung))).toEqual([false, true, false]);
    expect(snapshot.roots.map((root) => root.children.length > 0)).toEqual([true, false, true]);
  });

  it('a slow one among others cannot use up the time of all', async () => {
    const { snapshotNow, controls } = office(fakeDesktop({ ...officeSpec(), hungAfterMs: 60_000 }));
    controls.slow('orders', 30_000);
    const snapshot = await snapshotNow({ window: '*' }, 400);
    expect(snapshot.degraded).toEqual({ reason: 'w2 does not answer' });
  });

  it('the refs of a hung window outlive it', async () => {
    const { snapshotNow, controls } = office();
    const before = await snapshotNow({ window: 'Orders' });
    controls.hang('orders');
    await snapshotNow({ window: '*' });
    controls.resume('orders');
    expect(refs((await snapshotNow({ window: 'Orders' })).roots[0]!)).toEqual(refs(before.roots[0]!));
  });

  it('one that dies among others is left out; alone it is process_gone', async () => {
    const { snapshotNow, controls } = office();
    controls.killDuringRead('orders', 3);
    expect(titles(await snapshotNow({ window: '*' }))).toEqual(['*Untitled 1 - Mousepad', 'Inbox - Mail']);
    controls.killDuringRead('editor', 1);
    expect(await codeOf(snapshotNow())).toBe('process_gone: mousepad (w1) has ended.');
  });

  it('a plain client has a reason', async () => {
    const { snapshotNow } = office(fakeDesktop({ windows: [{ title: 'xclock', app: 'xclock', hasTree: false }] }));
    expect((await snapshotNow()).degraded).toEqual({ reason: 'w1: this app has no accessibility tree' });
  });
});
