import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The library as it is published: it starts compiled programs. */
export const LIBRARY = fileURLToPath(new URL('../../../dist/index.js', import.meta.url));

export const { DesktopError, expect, openDesktop, secret, VERSION } = (await import(
  pathToFileURL(LIBRARY).href
)) as typeof import('../../../src/index.js');

/** Independent of the user who runs the tests: without their rules and limits. */
export const OPEN_POLICY = { version: 1 as const, limits: { actsPerMinute: 10_000, launchesPerMinute: 100 } };

/** What was on the screen at each failure is kept for people. */
export function removeFailures({ name }: { name: string }): void {
  const ours = readdirSync(tmpdir()).filter((folder) => folder.startsWith(`deskproof-${name}-`));
  for (const folder of ours) rmSync(join(tmpdir(), folder), { recursive: true });
}
