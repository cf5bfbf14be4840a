import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordedLog, type RecordedLog } from '../../../../tests/scenes/recorded-log.js';
import { newLedger, openLedger, verifyDesktop } from '../../../audit/index.js';
import { createContext } from '../context.js';
import { createProgram } from '../program.js';
import { desktopLog, logAt } from './resolve-log.js';

const CLICK = {
  ...{ tool: 'ui_click', caller: { surface: 'mcp', session: 'mcp:a' }, rule: 'private/act-medium' },
  decision: { answer: 'allow', rule: 'private/act-medium' },
  args: { target: 'button:Later' },
  target: { role: 'button', name: 'Later', window: 'Late' },
} as const;

let log: RecordedLog;
/** The recorded session, and one act in a file of its own after it. */
beforeEach(async () => {
  log = await recordedLog();
  const ledger = await openLedger({ places: log.places, software: 'deskproof/test' });
  await ledger.rotate();
  await ledger.outcome(await ledger.intent(CLICK), { status: 'ok', delivered: 'yes', durationMs: 1 });
  await ledger.close();
});
afterEach(() => log.remove());

const context = (out: (text: string) => void = () => undefined) => {
  const made = createContext(new AbortController().signal, log.env);
  return { ...made, terminal: { ...made.terminal, out } };
};

it.each<[string, () => string[]]>([
  ['of a desktop', () => ['--desktop', 'work']],
  ['that is named', () => [log.places.logs]],
])('rehearses a policy on all files of a log %s', async (_, which) => {
  let said = '';
  const program = createProgram(context((text) => void (said += text)));
  await program.parseAsync(['policy', 'test', ...which(), '--json'], { from: 'user' });
  const { calls } = JSON.parse(said) as { calls: { tool: string; target?: string; seq: number }[] };
  const tools = calls.map(({ tool }) => tool);
  expect(tools).toContain('ui_launch');
  expect(JSON.stringify(calls.at(-1))).toContain('Later');
});

it("reads and verifies a desktop's log with its earlier files", async () => {
  const { lines, verify } = await desktopLog(context(), { desktop: 'work' });
  const all = [...lines()];
  expect(new Set(all.map(({ segment }) => segment))).toEqual(new Set([1, 2]));
  expect(all.map(({ record }) => record?.seq)).toEqual(all.map((_, at) => at + 1));
  expect(verify()).toMatchObject({ ok: true, records: all.length });
});

it('reads all files of a log folder at any path, or one file alone', () => {
  const all = [...logAt(log.places.logs, context()).lines()];
  const last = [...logAt(`${log.places.logs}/000002.jsonl`, context()).lines()];
  expect(last).toEqual(all.filter(({ segment }) => segment === 2));
  expect(last.length).toBeLessThan(all.length);
});

it('a fault in an abandoned log counts for its folder, but not for another single file', async () => {
  const { places } = log;
  const first = join(places.logs, '000001.jsonl');
  writeFileSync(first, readFileSync(first, 'utf8').replace('ctrl+s', 'ctrl+q'));
  const ledger = await newLedger({ places, software: 'deskproof/test' }, 'it was changed');
  await ledger.outcome(await ledger.intent(CLICK), { status: 'ok', delivered: 'yes', durationMs: 1 });
  await ledger.close();
  expect(verifyDesktop(places).ok).toBe(true);
  const fault = expect.stringMatching(/is unchanged since this one was started: broken at line/) as string;
  for (const { verify } of [await desktopLog(context(), { desktop: 'work' }), logAt(places.logs, context())]) {
    expect(verify()).toMatchObject({ ok: false, verdict: fault });
  }
  expect(logAt(join(places.logs, '000003.jsonl'), context()).verify().ok).toBe(true);
});
