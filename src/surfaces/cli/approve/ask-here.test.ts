import { afterEach, expect, it } from 'vitest';
import { requireUser, userIsHere } from './ask-here.js';

const [input, errors] = [process.stdin.isTTY, process.stderr.isTTY];
function streams(stdin: boolean, stderr: boolean): void {
  process.stdin.isTTY = stdin;
  process.stderr.isTTY = stderr;
}
afterEach(() => streams(input, errors));

it.each([
  [true, true, true],
  [false, true, false],
  [true, false, false],
  [false, false, false],
])('with a terminal for stdin: %s, for stderr: %s, the user is here: %s', (stdin, stderr, here) => {
  streams(stdin, stderr);
  expect(userIsHere()).toBe(here);
  const ask = (): void => requireUser('end a stop', 'deskproof resume');
  if (here) expect(ask).not.toThrow();
  else {
    expect(ask).toThrow(
      expect.objectContaining({
        ...{ code: 'approval_required', message: 'Only the user at a terminal can end a stop.' },
        hint: 'Run it in a terminal yourself: deskproof resume',
      }),
    );
  }
});
