import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { printReport, toReport } from './report-error.js';
import { createTerminal } from './terminal.js';

const NAMES = new Set(['ui_snapshot']);

function print(thrown: unknown, json = false, ofTool = false): { out: string; err: string; exitCode: number } {
  let out = '';
  let err = '';
  const terminal = createTerminal({ write: (text) => (out += text) }, { write: (text) => (err += text) }, {});
  const report = toReport(thrown);
  printReport(report, terminal, { json, debug: false, ofTool, toolNames: NAMES });
  return { out, err, exitCode: report.exitCode };
}

describe('errors on a terminal', () => {
  it.each([
    [
      new DesktopError('stale_ref', 'e12 is gone.', { hint: 'Look again.' }),
      1,
      'deskproof: e12 is gone.\n  next: Look again.\n',
    ],
    [new DesktopError('policy_denied', 'Not allowed.'), 3, 'deskproof: Not allowed.\n'],
    [
      new CommanderError(1, 'commander.unknownOption', "error: unknown option '--jsn'\n(Did you mean --json?)"),
      2,
      "deskproof: Unknown option '--jsn'.\n  next: Did you mean --json?\n",
    ],
    [new DesktopError('command_failed', 'It said \x1b[2Jhi.'), 1, 'deskproof: It said [2Jhi.\n'],
  ])('%s', (thrown, exitCode, err) => {
    expect(print(thrown)).toEqual({ out: '', err, exitCode });
  });

  const missed = new DesktopError('element_not_found', 'Nothing matches button:Sumbit in w4.', {
    hint: 'Use e22.',
    details: { nearest: [{ ref: 'e22', role: 'button', name: 'Submit' }] },
  });
  it('gives a pipe the text for models when a tool failed', () => {
    expect(print(missed, false, true).err).toBe(
      'failed: element_not_found. Nothing matches button:Sumbit in w4. Delivered: no. Retry: safe.\n' +
        'nearest: e22 button "Submit"\nnext: use e22.\n',
    );
  });
  it('always shows the nearest matches', () => {
    expect(print(missed).err).toBe(
      'deskproof: Nothing matches button:Sumbit in w4.\n  nearest: e22 button "Submit"\n  next: Use e22.\n',
    );
  });

  it.each([
    ['element_not_found', true, 'look first: snapshot.'],
    ['bad_arguments', true, 'look first: ui_snapshot.'],
    ['element_not_found', false, 'look first: ui_snapshot.'],
  ] as const)('names commands if a tool failed, and tools if they are meant: %s, %s', (code, ofTool, hint) => {
    let err = '';
    const terminal = createTerminal(
      { write: () => undefined },
      { isTTY: true, write: (text) => (err += text) },
      { NO_COLOR: '1' },
    );
    const error = new DesktopError(code, 'Nothing.', { hint: 'look first: ui_snapshot.' });
    printReport({ exitCode: 1, error }, terminal, { json: false, debug: false, ofTool, toolNames: NAMES });
    expect(err).toBe(`deskproof: Nothing.\n  next: ${hint}\n`);
  });

  it('points to the error in a selector', () => {
    const details = { input: 'button:Save && nmae=1', position: 15, length: 4 };
    const wrong = new DesktopError('selector_syntax', 'unknown key "nmae"', { hint: 'Did you mean name?', details });
    expect(print(wrong)).toEqual({
      out: '',
      err:
        'deskproof: selector_syntax at 16: unknown key "nmae"\n' +
        '  button:Save && nmae=1\n                 ^^^^\n  next: Did you mean name?\n',
      exitCode: 2,
    });
  });

  it('never prints a stack', () => {
    const { err, exitCode } = print(new TypeError('x is not a function\n    at y (z.js:1:1)'));
    expect(err).not.toMatch(/\bat\b.*z\.js/);
    expect(exitCode).toBe(1);
  });

  it('is JSON on stdout if --json is set', () => {
    const { out, err } = print(new DesktopError('timeout', 'Late.'), true);
    expect(JSON.parse(out)).toMatchObject({ schema: 1, error: { code: 'timeout', message: 'Late.', delivered: 'no' } });
    expect(err).toBe('');
  });
});
