import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingForSeat, requirePrograms } from './requirements.js';

const folder = mkdtempSync(join(tmpdir(), 'dp-needs-'));
const env = { PATH: folder, XDG_DATA_DIRS: folder };

beforeAll(() => {
  for (const name of ['Xvfb', 'xkbcomp', 'dbus-daemon']) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(join(folder, 'openbox'), 'not executable');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('reports all missing programs in one error with one install command', () => {
  expect(missingForSeat({ env })).toEqual([
    { program: 'openbox', package: 'openbox' },
    { program: 'at-spi-bus-launcher', package: 'at-spi2-core' },
  ]);
  expect(() => requirePrograms({ env, visible: true })).toThrow(
    expect.objectContaining({
      code: 'driver_unavailable',
      message:
        'A private desktop needs Xephyr (package xserver-xephyr), openbox (package openbox), at-spi-bus-launcher (package at-spi2-core).',
      hint: expect.stringMatching(
        /^Install: (sudo )?apt-get install -y --no-install-recommends xserver-xephyr openbox at-spi2-core$/,
      ) as string,
    }),
  );
});

test('finds the accessibility bus by its service file', () => {
  mkdirSync(join(folder, 'dbus-1/services'), { recursive: true });
  writeFileSync(join(folder, 'dbus-1/services/org.a11y.Bus.service'), '');
  expect(missingForSeat({ env }).map((one) => one.program)).toEqual(['openbox']);
});
