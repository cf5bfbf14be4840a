import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DesktopError } from '../../shared/index.js';
import { validateArguments } from './arguments.js';

const input = z.object({
  target: z.string().min(1).max(50),
  depth: z.int().min(0).max(100).optional(),
  full: z.boolean().optional(),
  maxTokens: z.int().default(2000),
  region: z.array(z.int()).length(4).optional(),
  side: z.enum(['left', 'right']).optional(),
  keys: z.array(z.enum(['ctrl', 'alt'])).optional(),
});
const check = (given: unknown) => validateArguments('ui_try', input, given);

function refusal(given: unknown): DesktopError {
  try {
    check(given);
  } catch (error) {
    if (error instanceof DesktopError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('arguments', () => {
  it.each([
    [{ target: 'e1' }, { target: 'e1', maxTokens: 2000 }],
    [
      { target: 'e1', depth: '5', full: 'true' },
      { target: 'e1', depth: 5, full: true, maxTokens: 2000 },
    ],
    [
      { target: 'e1', full: 'False', maxTokens: ' 300 ' },
      { target: 'e1', full: false, maxTokens: 300 },
    ],
    [{ target: '5' }, { target: '5', maxTokens: 2000 }],
    [
      { target: 'e1', region: ['0', '-5', 30, ' 40 '] },
      { target: 'e1', region: [0, -5, 30, 40], maxTokens: 2000 },
    ],
    [
      { target: 'e1', depth: null, full: undefined },
      { target: 'e1', maxTokens: 2000 },
    ],
  ])('takes %j', (given, args) => expect(check(given)).toEqual(args));

  it.each<[unknown, RegExp, RegExp]>([
    [{ target: 'e1', dpeth: 3 }, /no field "dpeth"/, /Did you mean depth/],
    [{ target: 'e1', zebra: 3 }, /no field "zebra"/, /It takes target, depth/],
    [{}, /needs target/, /It takes/],
    [undefined, /needs target/, /It takes/],
    [[], /named arguments/, /It takes/],
    ['e1', /named arguments/, /It takes/],
    [{ target: 4 }, /target must be a string, not a number/, /It takes/],
    [{ target: 'e1', depth: 'deep' }, /depth must be a number, not a string/, /It takes/],
    [{ target: 'e1', depth: -1 }, /depth must be at least 0\.$/, /It takes/],
    [{ target: 'e1', depth: 101 }, /depth must be at most 100\.$/, /It takes/],
    [{ target: 'e'.repeat(51) }, /target is longer than 50 characters\.$/, /It takes/],
    [{ target: 'e1', depth: '1e400' }, /depth/, /It takes/],
    [{ target: 'e1', region: ['a', 1, 2, 3] }, /region/, /It takes/],
    [{ target: 'e1', region: [1, 2, 3] }, /region must have 4 values\.$/, /It takes/],
    [{ target: '' }, /target is empty\.$/, /It takes/],
    [{ target: 'e1', side: 'lft' }, /side is one of left, right, not "lft"\.$/, /Did you mean left/],
    [{ target: 'e1', side: 'zebra' }, /side is one of left, right, not "zebra"\.$/, /It takes/],
    [{ target: 'e1', keys: ['ctrl', 'foo'] }, /keys\.1 is one of ctrl, alt, not "foo"\.$/, /It takes/],
    [{ target: 'e1', __proto__x: 1 }, /no field/, /It takes/],
    [{ target: 'e\0' }, /no argument can contain the character NUL\.$/, /Remove it/],
  ])('refuses %j', (given, message, hint) => {
    const error = refusal(given);
    expect(error.code).toBe('bad_arguments');
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });

  it('says so when a tool takes none', () => {
    expect(() => validateArguments('ui_none', z.object({}), { a: 1 })).toThrow('ui_none has no field "a"');
  });

  it('does not repeat a field name without end', () => {
    expect(refusal({ ['x'.repeat(5_000)]: 1 }).message.length).toBeLessThan(100);
  });
});
