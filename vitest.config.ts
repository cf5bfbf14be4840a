import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './tests/slowest-first.js';

// `fast` needs no desktop and runs in `npm run check`. `desktop` boots private desktops: two files at a time, since
// each holds a few real apps and the machine may have two cores only. No file changes what others import, so it is
// imported once for each process: that is a tenth of the whole time.
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    tags: [
      {
        name: 'safety',
        description: 'wrong element, secret, policy, ledger, keys left pressed: npm test never repeats a failure',
      },
    ],
    projects: [
      {
        test: {
          name: 'fast',
          sequence: { groupOrder: 0 },
          include: ['src/**/*.test.ts', 'tests/house/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They wait more than they compute.
          maxWorkers: 3,
          isolate: false,
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
          setupFiles: ['tests/print-evidence.ts'],
          pool: 'forks',
          maxWorkers: 2,
          isolate: false,
        },
      },
    ],
  },
});
