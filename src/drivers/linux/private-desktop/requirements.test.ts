import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingForSeat, requireForSeat } from './requirements.js';

const place = mkdtempSync(join(tmpdir(), 'dp-needs-'));
const env = { PATH: place, XDG_DATA_DIRS: place };

beforeAll(() => {
  for (const name of ['Xvfb', 'xkbcomp', 'dbus-daemon']) {
    writeFileSync(join(place, name), '');
    chmodSync(join(place, name), 0o755);
  }
  writeFileSync(join(place, 'openbox'), 'not executable');
});
afterAll(() => rmSync(place, { recursive: true }));

test('everything that is missing is in one error, with one line to type', () => {
  expect(missingForSeat({ env })).toEqual([
    { program: 'openbox', package: 'openbox' },
    { program: 'at-spi-bus-launcher', package: 'at-spi2-core' },
  ]);
  expect(() => requireForSeat({ env, visible: true })).toThrow(
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

test('the accessibility bus is found by its service file', () => {
  mkdirSync(join(place, 'dbus-1/services'), { recursive: true });
  writeFileSync(join(place, 'dbus-1/services/org.a11y.Bus.service'), '');
  expect(missingForSeat({ env }).map((one) => one.program)).toEqual(['openbox']);
});
