import { existsSync, readFileSync } from 'node:fs';
import { readLog, verifyDesktop, type LedgerPlaces } from '../../../audit/index.js';
import type { PolicyFile } from '../../../policy/index.js';
import { DesktopError } from '../../../shared/index.js';
import { failureText } from '../../../tools/index.js';
import { withoutUntrustedMarkers } from '../../../tree/index.js';
import type { Arguments } from '../tools/tool-command.js';
import type { Transcript } from './transcript.js';
import { commandName, flagName } from '../tools/command-name.js';
import { TOOL_MANIFEST } from '../tools/tool-manifest.js';

/** Calls a tool and returns its text and JSON. */
export type CallTool = (tool: string, args: Arguments) => Promise<{ json: Record<string, unknown>; text: string }>;

const KEYS = ['1', '2', '.', '5', '×', '8', '='];
const RESULT = '100';
const NOTE = 'héllo 日本 😀, written by Deskproof\n';

/** Computes 12.5 × 8 with the calculator's buttons, and reads the result from the calculator. */
export async function compute(ask: CallTool, show: Transcript): Promise<void> {
  const steps = KEYS.map((key) => ({ tool: 'ui_click', target: `app=gnome-calculator >> button:"${key}"` }));
  const { json, text } = await ask('ui_batch', { steps });
  const done = json.steps as { method?: string }[];
  const ms = Number(json.durationMs);
  const byPattern = done.every(({ method }) => method === 'pattern');
  const how = byPattern ? 'by pattern, no mouse' : 'by pattern and mouse';
  const facts = { program: 'gnome-calculator', acts: done.length, ms, byPattern, result: RESULT };
  await ask('ui_wait', { until: `app=gnome-calculator >> role=textbox && value="${RESULT}"` });
  show.step('act', `Calculator: ${KEYS.join(' ')}    ${done.length} clicks ${how}, ${seconds(ms)}`, facts);
  show.excerpt(withoutUntrustedMarkers(text).split('\n').slice(1));
  show.proof(`the calculator shows ${RESULT}`);
}

/** Writes a note and saves it with the editor's menu and dialog. The result is read from the disk. */
export async function writeNote(ask: CallTool, show: Transcript, path: string): Promise<void> {
  const calls: [string, Arguments][] = [
    ['ui_type', { text: NOTE, target: 'app=mousepad >> role=textbox' }],
    ['ui_click', { target: 'app=mousepad >> menuitem:"Save As..."', verify: { window: 'Save As' } }],
    ['ui_set_value', { target: 'window="Save As" >> textbox:Name', value: path }],
    ['ui_click', { target: 'window="Save As" >> button:Save', verify: { window: 'notes.txt' } }],
  ];
  const since = performance.now();
  const transcript: { call: string; answer: string }[] = [];
  for (const [tool, args] of calls) {
    const [answer = ''] = withoutUntrustedMarkers((await ask(tool, args)).text).split('\n');
    transcript.push({ call: formatCommand(tool, args), answer: answer.replace(/ Changed:$/, '') });
  }
  const ms = Math.round(performance.now() - since);
  const written = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  if (!written.equals(Buffer.from(NOTE)))
    throw unexpectedResult('The file that the editor saved differs from the typed text.');
  const facts = { program: 'mousepad', acts: calls.length, ms, bytes: written.length, calls: transcript };
  show.step('act', `Mousepad: a note, File > Save As, notes.txt    ${calls.length} acts, ${seconds(ms)}`, facts);
  for (const { call, answer } of transcript) show.call(call.replaceAll('\n', String.raw`\n`), [answer]);
  show.proof(`the file on disk has the same ${written.length} bytes`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** A demo step had an unexpected result. */
function unexpectedResult(what: string): DesktopError {
  return new DesktopError('verify_failed', what, {
    retry: 'no',
    hint: 'Run deskproof doctor to see what works here.',
  });
}

/** The default of the user desktop, plus permission for what the demo does in its two apps, except for high risk. */
export const DEMO_POLICY: PolicyFile = {
  version: 1,
  profile: { virtual: 'guarded' },
  enabled: true,
  rules: [
    {
      name: 'two-apps',
      when: { app: ['*/gnome-calculator', '*/mousepad'], class: 'act' },
      decision: 'allow',
    },
    { name: 'a-picture', when: { class: 'capture' }, decision: 'allow' },
  ],
};

const DELETE = { target: 'app=mousepad >> menuitem:"Delete Line"' };

/** Tries an act that needs approval while no one can be asked. The result is read from the editor. */
export async function tryRefusedAct(ask: CallTool, show: Transcript): Promise<void> {
  const refusal = await refusalOf(ask('ui_click', DELETE));
  const { json } = await ask('ui_read', { target: 'app=mousepad >> role=textbox' });
  if (json.text !== NOTE) throw unexpectedResult('The note changed although the click was refused.');
  const call = formatCommand('ui_click', DELETE);
  const [answer = ''] = failureText(refusal).split('\n');
  show.step('refuse', 'Mousepad: delete a line    guarded policy, needs approval: refused', {
    ...{ program: 'mousepad', policy: 'guarded', code: refusal.code, call, answer },
  });
  show.callInFull(call, answer);
  show.proof('the editor still shows the whole note');
}

async function refusalOf(act: Promise<unknown>): Promise<DesktopError> {
  try {
    await act;
  } catch (error) {
    if (error instanceof DesktopError && error.code === 'approval_required') return error;
    throw error;
  }
  throw unexpectedResult('A click that needs approval was performed without one.');
}

/** Verifies the audit log of the demo. */
export function showLog(show: Transcript, places: LedgerPlaces): void {
  const { ok, verdict, records } = verifyDesktop(places);
  if (!ok) throw unexpectedResult(`The audit log of the demo is not valid: ${verdict}.`);
  const written = [...readLog(places.logs)].flatMap(({ record }) => record ?? []);
  const acts = written.filter(({ kind }) => kind === 'intent').length;
  const refused = written.filter((record) => record.kind === 'call' && record.status === 'refused').length;
  show.step('log', `${records} records: ${acts} acts, ${refused} refused    chain and signature verify`, {
    ...{ records, acts, refused, verdict },
  });
  show.call('audit verify', [verdict]);
}

/** Formats a tool call as a command line: `click 'button:Save' --verify '{"window":"Save As"}'`. */
export function formatCommand(tool: string, args: Arguments): string {
  const shape = TOOL_MANIFEST.find(({ name }) => name === tool)?.cli;
  const positionals = (shape?.positionals ?? []).filter((name) => name in args);
  const rest = Object.entries(args).filter(([name]) => !positionals.includes(name));
  return [
    commandName(tool),
    ...positionals.map((name) => word(args[name])),
    ...rest.flatMap(([name, value]) => [`--${flagName(name)}`, ...(value === true ? [] : [word(value)])]),
  ].join(' ');
}

function word(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
