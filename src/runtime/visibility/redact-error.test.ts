import { expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import type { CallView } from './call-view.js';
import { redactError } from './redact-error.js';

const FAILED = new DesktopError('not_ready', 'button "My Banking" is covered.', {
  ...{ delivered: 'unknown', retry: 'after', retryAfter: 'it is free', hint: 'look at My Banking.' },
  details: { person: 'not now', seen: 'My Banking' },
});

/** A desktop on which the titles are looked at once more. */
function after(look: (hiddenWindows: { revision: number }) => void): { desktop: CallView; looks: () => number } {
  const veil = { revision: 3 };
  let looks = 0;
  const listWindows = async (): Promise<void> => {
    looks += 1;
    look(veil);
  };
  return { desktop: { hiddenWindows: veil, listWindows } as unknown as CallView, looks: () => looks };
}
const nothing = (): void => undefined;
const turned = (hiddenWindows: { revision: number }): void => void (hiddenWindows.revision += 1);

it('nothing turned into something hidden: told as it is', async () => {
  const { desktop, looks } = after(nothing);
  expect(await redactError(desktop, 'ui_click', 3, FAILED)).toBe(FAILED);
  expect(looks()).toBe(1);
});

it.each<[string, (hiddenWindows: { revision: number }) => void, RegExp]>([
  ['something turned', turned, /^A window turned into one that the policy hides/],
  [
    'the titles cannot be read',
    () => {
      throw new DesktopError('timeout', 'My Banking does not answer.');
    },
    /^It failed, and the titles of windows cannot be read now/,
  ],
])('%s: what went wrong is told, and no word of where', async (_, look, message) => {
  const told = (await redactError(after(look).desktop, 'ui_click', 3, FAILED)) as DesktopError;
  expect(told).toMatchObject({ code: 'not_ready', delivered: 'unknown', retry: 'after', retryAfter: 'it is free' });
  expect(told.message).toMatch(message);
  expect(told.details).toEqual({ person: 'not now' });
  expect(JSON.stringify(told)).not.toContain('Banking');
  const plain = (await redactError(
    after(look).desktop,
    'ui_click',
    3,
    new DesktopError('not_ready', 'No.'),
  )) as DesktopError;
  expect(plain.details).toBeUndefined();
});

it.each([
  new DesktopError('cancelled', 'Ended.'),
  new DesktopError('bad_arguments', 'No.'),
  new DesktopError('rate_limited', 'Too many.'),
  new DesktopError('audit_unavailable', 'The disk is full.'),
  new TypeError('ours'),
])('what quotes nothing is told at once: %s', async (error) => {
  const { desktop, looks } = after(turned);
  expect(await redactError(desktop, 'ui_click', 3, error)).toBe(error);
  expect(looks()).toBe(0);
});

it('a fault of ours is no answer', async () => {
  const broken = after(() => {
    throw new TypeError('ours');
  });
  await expect(redactError(broken.desktop, 'ui_click', 3, FAILED)).rejects.toThrow('ours');
});

it.each<[DesktopError, RegExp]>([
  [
    new DesktopError('approval_required', 'click "My Banking" needs a person.'),
    /^ui_click there needs a person .*mail/,
  ],
  [new DesktopError('approval_denied', 'The person refused "My Banking".'), /^The person refused ui_click there/],
  [new DesktopError('approval_timeout', 'Nobody answered "My Banking".'), /^Nobody answered whether ui_click/],
  [new DesktopError('cancelled', 'The question about "My Banking" was withdrawn.'), /^ui_click was not done, and why/],
  [FAILED, /^ui_click was not done, and why may not be told before a person has said yes \(rule mail\)\.$/],
])('before a person has said yes to the look no word of it is told: %s', async (error, message) => {
  const { desktop, looks } = after(nothing);
  Object.assign(desktop, { pendingReadApproval: { answer: 'ask', rule: 'mail' } });
  const told = (await redactError(desktop, 'ui_click', 3, error)) as DesktopError;
  expect([told.code, told.delivered, told.retry, looks()]).toEqual([error.code, error.delivered, error.retry, 0]);
  expect(told.message).toMatch(message);
  expect(JSON.stringify(told)).not.toContain('Banking');
});

it('that nothing can be written down is told all the same', async () => {
  const { desktop } = after(nothing);
  Object.assign(desktop, { pendingReadApproval: { answer: 'ask', rule: 'mail' } });
  const full = new DesktopError('audit_unavailable', 'The disk is full.');
  expect(await redactError(desktop, 'ui_click', 3, full)).toBe(full);
});
