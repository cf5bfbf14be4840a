import { readLineText, type AuditRecord, type ReadLine } from '../../../audit/index.js';
import type { Colour, Terminal } from '../terminal.js';

/** What a person looks for when they look through a log: what was done, what was refused, what is amiss. */
const COLOURS: Partial<Record<string, Colour>> = {
  ask: 'yellow',
  answer: 'yellow',
  grant: 'yellow',
  intent: 'cyan',
  outcome: 'green',
  pause: 'red',
  stop: 'red',
  recovered: 'red',
};
const DULL = new Set(['open', 'close', 'checkpoint', 'session']);

/** One line of a log in colour, where there is any. The text is safe already. */
export function lineText(line: ReadLine, { paint }: Terminal): string {
  const text = readLineText(line);
  const { record } = line;
  if (!record) return paint('red', text);
  if (DULL.has(record.kind)) return paint('grey', text);
  const [, before = '', kind = '', after = ''] = /^(\s*\d+  \S+ \S+  )(\S+)(.*)$/su.exec(text) ?? [];
  return `${paint('grey', before)}${paint(colourOf(record), kind)}${after}`;
}

function colourOf(record: AuditRecord): Colour {
  const ended = record.kind === 'outcome' || record.kind === 'call';
  if (ended && record.error !== undefined) return 'red';
  if (record.kind === 'outcome' && record.status !== 'ok') return 'yellow';
  return COLOURS[record.kind] ?? 'bold';
}
