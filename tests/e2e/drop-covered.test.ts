// @module-tag safety

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { openRealDesktop, type RealDesktop } from './support/real-desktop.js';

/** The drop point is checked once more before the drop; the drag image lies above it. */
let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop();
});
afterAll(() => real?.stop());

/** Long enough for a window to come meanwhile. */
const DRAG = {
  from: 'window="Plain sender" >> "Parcel"',
  to: 'window="Plain receiver" >> "Shelf"',
  steps: 100,
  stepMs: 20,
};

describe.each(['two-windows.py', 'two-windows-qt.py'])('%s', (program) => {
  async function withApp(options: string[], work: (app: FixtureApp) => Promise<void>): Promise<void> {
    const app = await FixtureApp.start(program, real.seat.env, options);
    try {
      await work(app);
    } finally {
      await app.end();
    }
  }

  test('it is dropped where it was dragged to, whatever goes along with the mouse', () =>
    withApp([], async (app) => {
      const { text } = await real.call('ui_drag', DRAG);
      expect(text).toMatch(/^(ok|no change|unconfirmed): drag onto/);
      await app.wait('the drop', (line) => line.dropped === 'Parcel' && line.onto === 'Shelf', 0);
    }));

  test('drops nothing and reports it when a window appears there during the drag', () =>
    withApp(['--covered'], async (app) => {
      expect(await real.failure('ui_drag', DRAG)).toMatch(
        /^failed: target_changed\. w\d+ window "Plain cover" came to \d+,\d+ while e\d+ was dragged there; the drag was cancelled\. Delivered: yes\./,
      );
      await app.wait('that it failed', (line) => 'failed' in line, 0);
      expect(app.diary.filter((line) => 'dropped' in line)).toEqual([]);
    }));
});
