import { expect, it } from 'vitest';
import { ABOUT, type Finding } from '../../drivers/contract/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { CallView } from './call-view.js';
import { visibleFindings } from './hidden-apps.js';

const PLAIN = { level: 'warn' } as unknown as Finding;
const about = (name: string): Finding => ({ ...PLAIN, [ABOUT]: { pid: 7, name, program: '/bin/x' } });
const BANK = about('bank');
const MAIL = about('mail');
const NOTES = about('notes');

/** The bank is hidden from everybody, mail from this caller. */
function stage(list: () => Promise<object>): { desktop: CallView; looks: () => number } {
  let looks = 0;
  const listWindows = async (): Promise<object> => {
    looks += 1;
    return list();
  };
  const hiddenWindows = { hidesApp: ({ name }: { name: string }) => name === 'bank' };
  const shows = ({ app }: WindowInfo): boolean => app !== 'mail';
  return { desktop: { listWindows, hiddenWindows, shows } as unknown as CallView, looks: () => looks };
}
const fails = (error: Error) => (): Promise<never> => Promise.reject(error);
const deadline = (): Deadline => Deadline.in(1_000);

it('of apps that may not be seen nothing is told, of the others and of none everything', async () => {
  const { desktop } = stage(async () => ({ windows: [] }));
  const told = await visibleFindings(desktop, [BANK, PLAIN, MAIL, NOTES], deadline());
  expect(told.map((one) => [BANK, PLAIN, MAIL, NOTES].indexOf(one))).toEqual([1, 3]);
});

it('of no app is told where nobody knows which are hidden', async () => {
  const { desktop } = stage(fails(new DesktopError('timeout', 'no answer')));
  expect(await visibleFindings(desktop, [NOTES, PLAIN], deadline())).toEqual([PLAIN]);
});

it('a fault of ours is no answer', async () => {
  const { desktop } = stage(fails(new TypeError('ours')));
  await expect(visibleFindings(desktop, [NOTES], deadline())).rejects.toThrow('ours');
});

it('what is about no app needs no windows', async () => {
  const { desktop, looks } = stage(fails(new DesktopError('timeout', 'no answer')));
  expect(await visibleFindings(desktop, [PLAIN], deadline())).toEqual([PLAIN]);
  expect(looks()).toBe(0);
});
