import { expect, it } from 'vitest';
import type { Finding } from '../../drivers/contract/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { CallView } from './call-view.js';
import { visibleFindings } from './hidden-apps.js';

const PLAIN = { level: 'warn' } as unknown as Finding;
const about = (name: string): Finding => ({ ...PLAIN, app: { pid: 7, name, program: '/bin/x' } });
const BANK = about('bank');
const MAIL = about('mail');
const NOTES = about('notes');

/** The bank is hidden from everyone, mail from this caller. */
function stage(list: () => Promise<object>): { desktop: CallView; listings: () => number } {
  let listings = 0;
  const listWindows = async (): Promise<object> => {
    listings += 1;
    return list();
  };
  const hiddenWindows = { hidesApp: ({ name }: { name: string }) => name === 'bank' };
  const shows = ({ app }: WindowInfo): boolean => app !== 'mail';
  return { desktop: { listWindows, hiddenWindows, shows } as unknown as CallView, listings: () => listings };
}
const fails = (error: Error) => (): Promise<never> => Promise.reject(error);
const deadline = (): Deadline => Deadline.in(1_000);

it('omits findings about hidden apps and keeps the others', async () => {
  const { desktop } = stage(async () => ({ windows: [] }));
  const visible = await visibleFindings(desktop, [BANK, PLAIN, MAIL, NOTES], deadline());
  expect(visible.map((one) => [BANK, PLAIN, MAIL, NOTES].indexOf(one))).toEqual([1, 3]);
});

it('omits every finding about an app when windows cannot be listed', async () => {
  const { desktop } = stage(fails(new DesktopError('timeout', 'no answer')));
  expect(await visibleFindings(desktop, [NOTES, PLAIN], deadline())).toEqual([PLAIN]);
});

it('rethrows an error that is not a DesktopError', async () => {
  const { desktop } = stage(fails(new TypeError('ours')));
  await expect(visibleFindings(desktop, [NOTES], deadline())).rejects.toThrow('ours');
});

it('lists no windows when no finding is about an app', async () => {
  const { desktop, listings } = stage(fails(new DesktopError('timeout', 'no answer')));
  expect(await visibleFindings(desktop, [PLAIN], deadline())).toEqual([PLAIN]);
  expect(listings()).toBe(0);
});
