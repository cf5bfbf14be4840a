import { fileURLToPath, pathToFileURL } from 'node:url';

/** The library as it is published: it starts compiled programs. */
export const LIBRARY = fileURLToPath(new URL('../../../dist/index.js', import.meta.url));

export const { DesktopError, expect, openDesktop, secret, VERSION } = (await import(
  pathToFileURL(LIBRARY).href
)) as typeof import('../../../src/index.js');

/** Nothing of whoever runs the tests: neither their rules nor their limits. */
export const OPEN_POLICY = { version: 1 as const, limits: { actsPerMinute: 10_000, launchesPerMinute: 100 } };
