import { existsSync, readFileSync } from 'node:fs';
import { DesktopError } from '../../shared/index.js';
import { withoutMarks } from '../../tree/index.js';
import type { Transcript } from './demo-transcript.js';
import { spokenCall } from './spoken-call.js';
import type { Arguments } from './tool-command.js';

/** One call to the desktop's host, with both its answers. */
export type Ask = (tool: string, args: Arguments) => Promise<{ json: Record<string, unknown>; text: string }>;

const KEYS = ['1', '2', '.', '5', '×', '8', '='];
const RESULT = '100';
export const NOTE = 'héllo 日本 😀, written by Deskproof\n';

/** 12.5 × 8, by the buttons that a person would press; what came out is read from the calculator. */
export async function compute(ask: Ask, show: Transcript): Promise<void> {
  const steps = KEYS.map((key) => ({ tool: 'ui_click', target: `app=gnome-calculator >> button:"${key}"` }));
  const { json, text } = await ask('ui_batch', { steps });
  const done = json.steps as { method?: string }[];
  const ms = Number(json.durationMs);
  const byPattern = done.every(({ method }) => method === 'pattern');
  const how = byPattern ? 'by pattern, no mouse' : 'by pattern and mouse';
  const facts = { program: 'gnome-calculator', acts: done.length, ms, byPattern, result: RESULT };
  await ask('ui_wait', { until: `app=gnome-calculator >> role=textbox && value="${RESULT}"` });
  show.step('act', `Calculator: ${KEYS.join(' ')}    ${done.length} clicks ${how}, ${seconds(ms)}`, facts);
  show.excerpt(withoutMarks(text).split('\n').slice(1));
  show.proof(`the calculator shows ${RESULT}`);
}

/** A note, saved through the editor's own menu and dialog; what came out is read from the disk. */
export async function writeNote(ask: Ask, show: Transcript, path: string): Promise<void> {
  const calls: [string, Arguments][] = [
    ['ui_type', { text: NOTE, target: 'app=mousepad >> role=textbox' }],
    ['ui_click', { target: 'app=mousepad >> menuitem:"Save As..."', verify: { window: 'Save As' } }],
    ['ui_set_value', { target: 'window="Save As" >> textbox:Name', value: path }],
    ['ui_click', { target: 'window="Save As" >> button:Save', verify: { window: 'notes.txt' } }],
  ];
  const since = performance.now();
  const told: { call: string; answer: string }[] = [];
  for (const [tool, args] of calls) {
    const [answer = ''] = withoutMarks((await ask(tool, args)).text).split('\n');
    told.push({ call: spokenCall(tool, args), answer: answer.replace(/ Changed:$/, '') });
  }
  const ms = Math.round(performance.now() - since);
  const written = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  if (!written.equals(Buffer.from(NOTE)))
    throw otherwise('The file that the editor saved holds something else than was typed.');
  const facts = { program: 'mousepad', acts: calls.length, ms, bytes: written.length, calls: told };
  show.step('act', `Mousepad: a note, File > Save As, notes.txt    ${calls.length} acts, ${seconds(ms)}`, facts);
  for (const { call, answer } of told) show.call(call.replaceAll('\n', String.raw`\n`), [answer]);
  show.proof(`the file on disk has the same ${written.length} bytes`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** What came of a step is not what should. */
export function otherwise(what: string): DesktopError {
  return new DesktopError('verify_failed', what, {
    retry: 'no',
    hint: 'deskproof doctor tells what works here.',
  });
}
