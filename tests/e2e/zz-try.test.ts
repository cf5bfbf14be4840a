import { expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { openRealDesktop } from './support/real-desktop.js';
it('try', async () => {
  const real = await openRealDesktop();
  const app = await FixtureApp.start(process.env.FIX ?? 'effects-gtk3.py', real.seat.env);
  try {
    await real.call('ui_wait', { until: 'button:Paint', timeoutMs: 15_000 });
    console.log((await real.call('ui_snapshot', {})).text);
    const steps = JSON.parse(process.env.STEPS ?? '[]');
    for (const [tool, args] of steps) {
      const t = performance.now();
      try { console.log(tool, JSON.stringify(args), '\n ', (await real.call(tool, args)).text, Math.round(performance.now() - t)); }
      catch (e) { console.log(tool, JSON.stringify(args), 'FAILED', String(e)); }
    }
    console.log(JSON.stringify(app.diary));
  } finally { await app.end(); await real.stop(); }
  expect(1).toBe(1);
});
