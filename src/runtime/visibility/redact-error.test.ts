import { expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { CallLog } from '../request/call-context.js';
import type { CallView } from './call-view.js';
import { redactError } from './redact-error.js';

const FAILED = new DesktopError('not_ready', 'button "My Banking" is covered.', {
  ...{ delivered: 'unknown', retry: 'after', retryAfter: 'it is free', hint: 'look at My Banking.' },
  details: { userReason: 'not now', seen: 'My Banking' },
});

/** A desktop that runs `change` when its windows are listed again. */
function after(change: (hiddenWindows: { revision: number }) => void): { desktop: CallView; listings: () => number } {
  const hidden = { revision: 3 };
  const log = new CallLog();
  let listings = 0;
  const listWindows = async (): Promise<void> => {
    listings += 1;
    change(hidden);
  };
  return { desktop: { hiddenWindows: hidden, listWindows, log } as unknown as CallView, listings: () => listings };
}
const nothing = (): void => undefined;
const turned = (hiddenWindows: { revision: number }): void => void (hiddenWindows.revision += 1);

it('returns the error unchanged when no window became hidden', async () => {
  const { desktop, listings } = after(nothing);
  expect(await redactError(desktop, 'ui_click', 3, FAILED)).toBe(FAILED);
  expect(listings()).toBe(1);
});

it.each<[string, (hiddenWindows: { revision: number }) => void, RegExp]>([
  ['a window became hidden', turned, /^During this call a window became one that the policy hides/],
  [
    'the window titles cannot be read',
    () => {
      throw new DesktopError('timeout', 'My Banking does not answer.');
    },
    /^The call failed, and window titles cannot be read now/,
  ],
])('%s: keeps the code and removes the content', async (_, change, message) => {
  const redacted = (await redactError(after(change).desktop, 'ui_click', 3, FAILED)) as DesktopError;
  expect(redacted).toMatchObject({ code: 'not_ready', delivered: 'unknown', retry: 'after', retryAfter: 'it is free' });
  expect(redacted.message).toMatch(message);
  expect(redacted.details).toEqual({ userReason: 'not now' });
  expect(JSON.stringify(redacted)).not.toContain('Banking');
  const plain = (await redactError(
    after(change).desktop,
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
])('returns an error that quotes no content at once: %s', async (error) => {
  const { desktop, listings } = after(turned);
  expect(await redactError(desktop, 'ui_click', 3, error)).toBe(error);
  expect(listings()).toBe(0);
});

it('rethrows an error that is not a DesktopError', async () => {
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
  [
    new DesktopError('approval_timeout', 'The user did not answer "My Banking".'),
    /^The approval request for ui_click there was not answered/,
  ],
  [
    new DesktopError('cancelled', 'The question about "My Banking" was withdrawn.'),
    /^ui_click was not performed\. The reason is withheld/,
  ],
  [
    FAILED,
    /^ui_click was not performed\. The reason is withheld until the user approves reading there \(rule mail\)\.$/,
  ],
])('removes the content while the read approval is pending: %s', async (error, message) => {
  const { desktop, listings } = after(nothing);
  Object.assign(desktop, { pendingReadApproval: { answer: 'ask', rule: 'mail' } });
  const redacted = (await redactError(desktop, 'ui_click', 3, error)) as DesktopError;
  expect([redacted.code, redacted.delivered, redacted.retry, listings()]).toEqual([
    error.code,
    error.delivered,
    error.retry,
    0,
  ]);
  expect(redacted.message).toMatch(message);
  expect(JSON.stringify(redacted)).not.toContain('Banking');
});

it('keeps audit_unavailable while the read approval is pending', async () => {
  const { desktop } = after(nothing);
  Object.assign(desktop, { pendingReadApproval: { answer: 'ask', rule: 'mail' } });
  const full = new DesktopError('audit_unavailable', 'The disk is full.');
  expect(await redactError(desktop, 'ui_click', 3, full)).toBe(full);
});
