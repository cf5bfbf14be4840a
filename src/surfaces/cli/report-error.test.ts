import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { printReport, reportOf } from './report-error.js';
import { terminalOf } from './terminal.js';

function print(thrown: unknown, json = false): { out: string; err: string; exitCode: number } {
  let out = '';
  let err = '';
  const terminal = terminalOf({ write: (text) => (out += text) }, { write: (text) => (err += text) }, {});
  const report = reportOf(thrown);
  printReport(report, terminal, { json, debug: false });
  return { out, err, exitCode: report.exitCode };
}

describe('what a person reads when something fails', () => {
  it.each([
    [
      new DesktopError('stale_ref', 'e12 is gone.', { hint: 'Look again.' }),
      1,
      'deskwright: e12 is gone.\n  next: Look again.\n',
    ],
    [new DesktopError('policy_denied', 'Not allowed.'), 3, 'deskwright: Not allowed.\n'],
    [
      new CommanderError(1, 'commander.unknownOption', "error: unknown option '--jsn'\n(Did you mean --json?)"),
      2,
      "deskwright: Unknown option '--jsn'.\n  next: Did you mean --json?\n",
    ],
    [new DesktopError('command_failed', 'It said \x1b[2Jhi.'), 1, 'deskwright: It said [2Jhi.\n'],
  ])('%s', (thrown, exitCode, err) => {
    expect(print(thrown)).toEqual({ out: '', err, exitCode });
  });

  it('never prints a stack', () => {
    const { err, exitCode } = print(new TypeError('x is not a function\n    at y (z.js:1:1)'));
    expect(err).not.toMatch(/\bat\b.*z\.js/);
    expect(exitCode).toBe(1);
  });

  it('is JSON on stdout when JSON was asked for', () => {
    const { out, err } = print(new DesktopError('timeout', 'Late.'), true);
    expect(JSON.parse(out)).toMatchObject({ schema: 1, error: { code: 'timeout', message: 'Late.', delivered: 'no' } });
    expect(err).toBe('');
  });
});
