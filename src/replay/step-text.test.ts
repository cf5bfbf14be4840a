import { expect, it } from 'vitest';
import { stepSentence } from './step-text.js';
import type { CallStep } from './trace.js';

const step = (other: Partial<CallStep>): CallStep => ({
  ...{ number: 1, seq: 1, at: '2026-11-15T10:30:45.120Z', kind: 'act', tool: 'ui_click', result: 'ok' },
  ...other,
});
const args = { target: 'button:Save' };

it.each<[string, Partial<CallStep>, string]>([
  ['what it was done to', { args, target: { role: 'button', name: 'Save' } }, 'Click button "Save"'],
  ['in which window', { args, target: { name: 'Save', window: 'notes' } }, 'Click "Save" in "notes"'],
  ['the window alone, where that is all', { args, target: { window: 'notes' } }, 'Click in "notes"'],
  ['the selector, if nothing was found', { args }, 'Click "button:Save"'],
  ['where a drag was to begin', { tool: 'ui_drag', args: { from: 'e1', to: 'e2' } }, 'Drag to "e2" from "e1"'],
  ['into what was to be typed', { tool: 'ui_type', args: { ...args, text: 'a' } }, 'Type "a" into "button:Save"'],
  ['the selector of a query, once', { tool: 'ui_query', args }, 'Look for "button:Save"'],
  ['nothing, where nothing was named', { args: { target: '' } }, 'Click'],
])('a sentence says %s', (_, words, sentence) => {
  expect(stepSentence(step(words))).toBe(sentence);
});
