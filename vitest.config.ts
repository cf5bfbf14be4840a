import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './tests/slowest-first.js';

// `fast` needs no desktop and runs in `npm run check`. `desktop` boots private desktops with a few real apps each: three
// files at a time also where there are two cores, since most of their time is waiting.
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'fast',
          sequence: { groupOrder: 0 },
          include: ['src/**/*.test.ts', 'tests/house/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'desktop',
          sequence: { groupOrder: 1 },
          include: ['tests/conformance/**/*.test.ts', 'tests/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          globalSetup: ['scripts/ensure-built.mjs'],
          pool: 'forks',
          maxWorkers: 3,
        },
      },
    ],
  },
});
