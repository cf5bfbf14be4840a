import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Deadline } from '../../src/shared/index.js';
import { allDrivers, platformDriver, recordingDriver } from '../../src/drivers/registry.js';

/** Folders that are not drivers. */
const OTHERS = new Set(['contract', 'protocol']);
const here = new URL('../../src/drivers/', import.meta.url);
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !OTHERS.has(entry.name))
  .map(({ name }) => name);

describe('the registry', () => {
  it('has every driver folder, under the platforms that the driver itself names', async () => {
    const drivers = await allDrivers();
    expect([...new Set(drivers.map(({ driver }) => driver.name))].sort()).toEqual(folders.sort());
    for (const { key, driver } of drivers) {
      if (driver.kind === 'recording') expect([key, driver.platforms]).toEqual(['recording', []]);
      else expect(driver.platforms, key).toContain(key);
    }
  });

  it.each(folders)('%s has an index with its driver module', (folder) => {
    expect(existsSync(new URL(`${folder}/index.ts`, here))).toBe(true);
  });

  it('has no driver for an unknown platform', async () => {
    expect(await platformDriver('aix')).toBeUndefined();
    expect((await platformDriver('linux'))?.privateDesktops).toBeDefined();
  });

  it('opens a recorded desktop without a platform', async () => {
    const driver = await (await recordingDriver()).open({ env: {} });
    expect(await driver.windows({ deadline: Deadline.in(5_000) })).toEqual({ windows: [] });
    await driver.close();
  });
});
