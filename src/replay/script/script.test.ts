import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { recordSession, SessionClock } from '../../../tests/scenes/recorded-session.js';
import { ledgerPlaces, openLedger, readLog } from '../../audit/index.js';
import { traceOf } from '../build-trace.js';
import type { CallStep, Trace } from '../trace.js';
import { traceScript } from './script.js';

const folder = mkdtempSync(join(tmpdir(), 'dp-script-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(
  join(folder, 'deskproof'),
  `#!/bin/sh\nprintf '%s\\0' "$@" '==end==' >> "$DIARY"\ncase "$*" in *fail-here*) exit 3;; esac\n`,
  { mode: 0o700 },
);

const NAMES = ['target', 'window', 'text', 'value', 'secret', 'from', 'to', 'verify', 'keys', 'enter', 'count'];
const fields = [...NAMES, 'command', 'args', 'modifiers', 'redactInLogs', 'space', 'until'].map((name) => ({ name }));
const options = {
  fieldsOf: (tool: string) => (tool.startsWith('ui_') ? [...fields, { name: 'button', preset: 'left' }] : undefined),
};

interface Ran {
  code: number | null;
  said: string;
  calls: string[][];
}

let ran = 0;
function run(script: string, words = ['--desktop', 'work']): Promise<Ran> {
  const file = join(folder, `script-${++ran}.mjs`);
  const diary = join(folder, `diary-${ran}`);
  writeFileSync(file, script);
  writeFileSync(diary, '');
  const env = { PATH: `${folder}:${process.env.PATH}`, DIARY: diary };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...words], { env }, (_, out, err) => {
      const calls = readFileSync(diary, 'utf8').split('==end==\0').slice(0, -1);
      resolve({ code: child.exitCode, said: out + err, calls: calls.map((call) => call.split('\0').slice(0, -1)) });
    });
  });
}

function traceWith(...steps: Partial<CallStep>[]): Trace {
  const at = '2026-11-15T10:30:45.120Z';
  const outcome = { seq: 2, at, status: 'ok', delivered: 'yes' as const };
  const trace = traceOf([]);
  trace.steps = steps.map((step, index) => ({
    ...{ number: index + 1, seq: 1, at, kind: 'act', tool: 'ui_click', result: 'ok', outcome, args: {} },
    ...step,
  }));
  return trace;
}

const save = { role: 'button', name: 'Save', window: 'notes.txt - Mousepad' };
const long = `${'x'.repeat(193)}…(+907)`;

describe('a script', () => {
  it('repeats a recorded session once the missing values are filled in', async () => {
    const clock = new SessionClock();
    const places = ledgerPlaces('desk', { HOME: folder });
    const ledger = await openLedger({ places, software: 'deskproof/test', now: clock.now });
    await recordSession(ledger, clock);
    await ledger.close();
    const { code, calls, said } = await run(traceScript(traceOf(readLog(places.logs)), options));
    expect(said).not.toContain('Error');
    expect(code).toBe(0);
    expect(calls).toEqual([
      ['launch', '--desktop=work', '--', 'mousepad', 'notes.txt', '--disable-server'],
      [
        'type',
        '--desktop=work',
        '--target=textbox:""',
        '--text=Milk, bread, 2 × butter',
        '--window=notes.txt - Mousepad',
      ],
      ['click', '--desktop=work', '--target=window="notes.txt - Mousepad" >> menu:"File"'],
      ['key', '--desktop=work', '--keys=ctrl+s'],
      ['click', '--desktop=work', '--target=button:Delete'],
      ['type', '--desktop=work', '--secret=vpn', '--target=passwordbox:Password'],
    ]);
  });

  it('does not repeat unsigned steps, and reports them', async () => {
    const script = traceScript(traceWith({ args: { target: 'Forged' }, unsigned: true }), options);
    expect(script).toContain('//    Not repeated: its record in the log is not signed.');
    expect((await run(script)).calls).toEqual([]);
  });

  it.each<[string, Partial<CallStep>, string[]]>([
    [
      'a ref by what was found',
      { args: { target: 'e12' }, target: save },
      ['--target=window="notes.txt - Mousepad" >> button:"Save"'],
    ],
    [
      'a ref within a selector too',
      { args: { target: '@e3 >> role=button' }, target: { role: 'button' } },
      ['--target=role=button'],
    ],
    [
      'a ref and its window',
      { args: { target: 'e1', window: 'w3' }, target: save },
      ['--target=window="notes.txt - Mousepad" >> button:"Save"'],
    ],
    [
      'a window by its title',
      { args: { target: 'OK', window: 'w3' }, target: save },
      ['--target=OK', '--window=notes.txt - Mousepad'],
    ],
    [
      'a check of the same ref',
      { args: { target: 'e1', verify: { gone: 'e1' } }, target: { name: 'X' } },
      ['--target="X"', '--verify={"gone":"\\"X\\""}'],
    ],
    [
      'a name that was cut by its beginning',
      { args: { target: 'e1' }, target: { name: long } },
      [`--target=name^="${'x'.repeat(60)}"`],
    ],
    ['a typed text that looks like a ref', { args: { text: 'e12' } }, ['--text=e12']],
    ['a secret by its name', { args: { text: '‹secret:vpn›' } }, ['--secret=vpn']],
    [
      'switches, lists and numbers',
      { args: { count: -2, enter: true, modifiers: ['ctrl', 'alt'], to: '' } },
      ['--count=-2', '--enter', '--modifiers=ctrl,alt', '--to='],
    ],
    ['nothing for what is preset', { args: { button: 'left' } }, []],
    ['nothing for what the tool does not take', { args: { desktop: 'user', '--json': true, __proto__x: 1 } }, []],
  ])('says %s', async (_, step, flags) => {
    const { calls, said } = await run(traceScript(traceWith(step), options));
    expect({ said, calls }).toMatchObject({ calls: [['click', '--desktop=work', ...flags]] });
  });

  it.each<[string, Partial<CallStep>, RegExp]>([
    ['a redacted text', { args: { text: 'my ‹card› number' } }, /TODO.*text was redacted in the log/],
    ['a text that was to be kept out', { args: { text: '', redactInLogs: true } }, /TODO.*text was kept out/],
    ['a cut text', { args: { text: long } }, /TODO.*text is truncated in the log/],
    ['a ref without details', { args: { target: 'e12' } }, /TODO.*target was "e12", a ref/],
    ['the other ref of a drag', { args: { from: 'e1', to: 'e2' }, target: save }, /TODO.*to was "e2"/],
    ['a point of a picture', { args: { space: 'c3' } }, /TODO.*space belongs to the capture c3/],
    ['a window without details', { args: { window: 'w3' } }, /TODO.*window was w3/],
    ['a text that a command line cannot pass', { args: { text: 'a\0b' } }, /TODO.*a command line cannot pass/],
  ])('refuses to run with %s', async (_, step, todo) => {
    const script = traceScript(traceWith({ args: { target: 'button:One' } }, step), options);
    expect(script).toMatch(todo);
    const { code, calls, said } = await run(script);
    expect({ code, calls }).toEqual({ code: 2, calls: [] });
    expect(said).toMatch(
      /^Nothing was done: fill in (text|target|to|space|window)2 under "missing" in this script first\.\n$/,
    );
    const filled = await run(script.replace(/2: undefined/, '2: "-filled"'));
    expect(filled.calls[1]!.filter((word) => word.endsWith('=-filled'))).toHaveLength(1);
    const leftOut = await run(script.replace(/2: undefined/, '2: null'));
    expect(leftOut.calls).toHaveLength(2);
    expect(leftOut.calls[1]!.join()).not.toContain('null');
  });

  it.each<[string, Partial<CallStep>, RegExp]>([
    [
      'was refused',
      { kind: 'refused', result: 'denied', decision: { answer: 'deny', rule: 'r1' } },
      /refused.*rule r1/,
    ],
    ['has no outcome', { outcome: undefined, result: 'unknown' }, /it is unknown whether it was done/],
    [
      'was not delivered',
      { result: 'failed', outcome: { seq: 2, at: '', delivered: 'no', error: 'not_ready' } },
      /not_ready/,
    ],
    ['has no arguments in the log', { args: undefined }, /does not contain its arguments/],
    ['is of no tool', { tool: 'rm -rf' }, /this tool does not exist/],
  ])('does not repeat a step that %s, and reports why', async (_, step, why) => {
    const script = traceScript(traceWith({ args: { target: 'e12' }, ...step }), options);
    expect(script).toMatch(why);
    expect(await run(script)).toMatchObject({ code: 0, calls: [] });
  });

  it('stops at the first act that fails, with its exit code', async () => {
    const targets = ['One', 'fail-here', 'Three'].map((target) => ({ args: { target } }));
    const { code, calls, said } = await run(traceScript(traceWith(...targets), options));
    expect({ code, acts: calls.length }).toEqual({ code: 3, acts: 2 });
    expect(said).toContain('Step 2 (click) failed. The steps after it were not done.');
  });

  it.each([[[]], [['--desktop']], [['work']]])('does nothing when called with %j', async (words) => {
    const { code, calls, said } = await run(traceScript(traceWith({}), options), words);
    expect({ code, calls }).toEqual({ code: 2, calls: [] });
    expect(said).toContain('--desktop NAME');
  });

  it('passes any text to the command unchanged', async () => {
    const hostile = fc.constantFrom(
      '`',
      '${process.exit()}',
      "'",
      '"',
      '\\',
      '*/',
      '//',
      '\n',
      '\r',
      '\u2028',
      '\u202e',
      '</script>',
      '$(id)',
      ';',
    );
    const text = fc
      .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 6 })
      .map((parts) => parts.join(''));
    const whole = text.filter((value) => !/[\0‹›]/.test(value) && !value.includes('==end=='));
    const texts = fc.sample(whole, { numRuns: 250, seed: 7 });
    const steps = texts.map((value) => ({
      tool: 'ui_type',
      args: { text: value },
      target: { name: value, window: value },
    }));
    const launches = texts.map((value) => ({ tool: 'ui_launch', args: { args: [value], command: 'app' } }));
    const script = traceScript({ ...traceWith(...steps, ...launches), desktop: texts.join('') }, options);
    expect(script).not.toMatch(/[\u2028\u2029\u202e]/);
    const { code, calls } = await run(script);
    expect(code).toBe(0);
    expect(calls).toEqual([
      ...texts.map((value) => ['type', '--desktop=work', `--text=${value}`]),
      ...texts.map((value) => ['launch', '--desktop=work', '--', 'app', value]),
    ]);
  }, 60_000);

  it('is also valid strict TypeScript', () => {
    const file = join(folder, 'again.mts');
    writeFileSync(
      file,
      traceScript(
        traceWith({ args: { text: long } }, { tool: 'ui_launch', args: { command: 'a', args: [long] } }),
        options,
      ),
    );
    const program = ts.createProgram([file], {
      ...{ strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
      ...{ types: ['node'], typeRoots: [join(process.cwd(), 'node_modules/@types')], skipLibCheck: true },
    });
    expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
  }, 60_000);
});
