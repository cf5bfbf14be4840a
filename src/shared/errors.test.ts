import { describe, expect, it } from 'vitest';
import { DesktopError, ERROR_CODES, exitCodeOf, hasTrait, type ErrorCode, type ErrorTrait } from './errors.js';

const withTrait = (trait: ErrorTrait): ErrorCode[] =>
  ERROR_CODES.filter((code) => hasTrait(new DesktopError(code, 'x'), trait)).sort();

describe('traits of error codes', () => {
  it.each<[ErrorTrait, ErrorCode[]]>([
    ['refusal', ['approval_denied', 'approval_required', 'approval_timeout', 'policy_denied', 'rate_limited']],
    ['usage', ['bad_arguments', 'selector_syntax']],
    [
      'final',
      ['bad_arguments', 'cancelled', 'not_supported', 'permission_missing', 'policy_denied', 'selector_syntax'],
    ],
    ['transient', ['element_not_found', 'not_ready']],
    ['targetLost', ['stale_ref', 'target_changed']],
    ['gone', ['element_not_found', 'process_gone']],
    ['appSilent', ['app_hung', 'timeout']],
    ['cutShort', ['cancelled', 'timeout']],
    ['contentFree', ['audit_unavailable', 'bad_arguments', 'cancelled', 'rate_limited']],
    [
      'offScreen',
      [
        ...(['audit_unavailable', 'bad_arguments', 'cancelled', 'driver_unavailable'] as const),
        ...(['permission_missing', 'rate_limited', 'selector_syntax'] as const),
      ],
    ],
    ['ownFault', ['audit_unavailable', 'cancelled', 'driver_unavailable', 'permission_missing']],
  ])('%s', (trait, codes) => {
    expect(withTrait(trait)).toEqual(codes);
  });

  it('gives exit code 3 to refusals, 2 to wrong usage and 1 to everything else', () => {
    for (const code of ERROR_CODES) {
      const error = new DesktopError(code, 'x');
      expect([code, exitCodeOf(code)]).toEqual([
        code,
        hasTrait(error, 'refusal') ? 3 : hasTrait(error, 'usage') ? 2 : 1,
      ]);
    }
  });

  it('is true for any one of several traits', () => {
    expect(hasTrait(new DesktopError('stale_ref', 'x'), 'usage', 'targetLost')).toBe(true);
    expect(hasTrait(new DesktopError('stale_ref', 'x'), 'usage', 'gone')).toBe(false);
    expect(hasTrait(new DesktopError('stale_ref', 'x'))).toBe(false);
  });

  it('is false for errors that are not ours and for codes of another version', () => {
    expect(hasTrait(Object.assign(new Error('x'), { code: 'timeout' }), 'appSilent')).toBe(false);
    expect(hasTrait(undefined, 'appSilent')).toBe(false);
    const unknown = 'toString' as ErrorCode;
    expect(hasTrait(new DesktopError(unknown, 'x'), 'refusal', 'final')).toBe(false);
    expect(exitCodeOf(unknown)).toBe(1);
  });
});

describe('a copy of an error', () => {
  const error = new DesktopError('timeout', 'It did not answer.', {
    hint: 'Try again.',
    retry: 'after',
    retryAfter: 'after closing w5',
    details: { window: 'w1' },
    cause: new Error('bus'),
  });

  it('keeps what is not changed', () => {
    const copy = error.with({ message: 'w1 did not answer.' });
    expect(copy).toBeInstanceOf(DesktopError);
    expect(copy).not.toBe(error);
    expect(copy.toJSON()).toEqual({ ...error.toJSON(), message: 'w1 did not answer.' });
    expect(copy.cause).toBe(error.cause);
    expect(error.message).toBe('It did not answer.');
  });

  it('changes every part', () => {
    const changes = {
      code: 'app_hung',
      message: 'Hung.',
      hint: 'Close it.',
      retry: 'no',
      retryAfter: 'later',
      delivered: 'yes',
      details: { window: 'w2' },
    } as const;
    const copy = error.with({ ...changes, cause: error });
    expect(copy.toJSON()).toEqual(changes);
    expect(copy.cause).toBe(error);
  });

  it('removes what is set to undefined', () => {
    const copy = error.with({ hint: undefined, details: undefined, cause: undefined });
    expect(copy.hint).toBeUndefined();
    expect(copy.details).toBeUndefined();
    expect('cause' in copy).toBe(false);
  });

  it('is not safe to retry once it may have been delivered', () => {
    const safe = new DesktopError('timeout', 'x');
    expect(safe.retry).toBe('safe');
    expect(safe.with({ delivered: 'unknown' }).retry).toBe('no');
    expect(safe.with({ delivered: 'unknown', retry: 'safe' }).retry).toBe('safe');
    expect(safe.with({ delivered: 'no' }).retry).toBe('safe');
    expect(error.with({ delivered: 'yes' }).retry).toBe('after');
    expect(new DesktopError('timeout', 'x', { delivered: 'yes', retry: 'safe' }).with({ hint: 'y' }).retry).toBe(
      'safe',
    );
  });
});
