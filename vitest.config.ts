import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './tests/slowest-first.js';

// `fast` needs no desktop and runs in `npm run check`. `desktop` boots private desktops. Its files wait more than they
// compute: two at a time left two cores idle for 60 % of the run. No file changes what others import, so each worker
// imports it once: that saves a tenth of the whole time.
const DESKTOPS = Math.min(6, Math.max(3, availableParallelism()));

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
          maxWorkers: DESKTOPS,
          isolate: false,
        },
      },
      {
        // Apps and toolkits that need packages of their own: the stage `apps`.
        test: {
          name: 'apps',
          sequence: { groupOrder: 2 },
          include: ['tests/apps/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          globalSetup: ['scripts/ensure-built.mjs'],
          setupFiles: ['tests/print-evidence.ts'],
          pool: 'forks',
          maxWorkers: DESKTOPS,
          isolate: false,
        },
      },
    ],
  },
});
