import { beforeEach, describe, expect, it } from 'vitest';
import type { Desktops, HostClient } from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { DesktopLink } from './desktop-link.js';

class FakeHost {
  isGone = false;
  vanished = false;
  request(): Promise<never> {
    return new Promise(() => undefined);
  }
}

let hosts: FakeHost[];
let fault: Error | undefined;
let link: DesktopLink;

beforeEach(() => {
  [hosts, fault] = [[], undefined];
  const startPrivate = async (): Promise<{ name: string; host: FakeHost }> => {
    await new Promise(setImmediate);
    if (fault) throw fault;
    hosts.push(new FakeHost());
    return { name: `mcp-${hosts.length}`, host: hosts.at(-1)! };
  };
  const desktops = { startPrivate } as unknown as Desktops;
  link = new DesktopLink({ desktops, desktop: 'virtual', env: {}, printLine: () => undefined });
});

const asked = (): Promise<HostClient[]> => Promise.all([link.host(), link.host(), link.host()]);

describe('concurrent calls', () => {
  it('share one desktop, also when they are the first to need it', async () => {
    const got = await asked();
    expect(hosts).toHaveLength(1);
    expect(new Set(got)).toEqual(new Set(hosts));
  });

  it('share one new desktop after theirs ended', async () => {
    await link.host();
    hosts[0]!.isGone = true;
    expect(new Set(await asked())).toEqual(new Set([hosts[1]]));
    expect(hosts).toHaveLength(2);
  });

  it('all fail when it cannot be opened, and the next call tries again', async () => {
    fault = new DesktopError('driver_unavailable', 'No.');
    await expect(Promise.allSettled([link.host(), link.host()])).resolves.toMatchObject([
      { reason: fault },
      { reason: fault },
    ]);
    fault = undefined;
    expect(await link.host()).toBe(hosts[0]);
  });
});

describe('a private desktop of the server', () => {
  it('is replaced after an orderly end, but not after it was killed or lost', async () => {
    await link.host();
    hosts[0]!.isGone = true;
    await link.host();
    expect(hosts).toHaveLength(2);
    Object.assign(hosts[1]!, { isGone: true, vanished: true });
    for (const _ of [1, 2])
      await expect(link.host()).rejects.toMatchObject({ code: 'driver_unavailable', retry: 'no' });
    expect(hosts).toHaveLength(2);
  });
});
