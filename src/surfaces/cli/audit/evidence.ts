import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ledgerPlaces, openEvidence, type OpenedEvidence } from '../../../audit/index.js';
import { DesktopError } from '../../../shared/index.js';
import { type Element, renderSnapshot, type Snapshot, withoutUntrustedMarkers } from '../../../tree/index.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { writeNewFile } from '../output-file.js';
import { colourText } from '../terminal.js';
import { existingLog, linesAt } from './resolve-log.js';

export interface EvidenceFlags extends Flags {
  out?: string;
  after?: boolean;
}

/** Far above any snapshot: nothing is folded. */
const ALL_TOKENS = 100_000_000;

/**
 * Opens the stored snapshot of one act, compares it with the hash in the log, and prints it or writes it to a file.
 */
export async function showEvidence(
  context: Context,
  seq: number,
  given: string | undefined,
  flags: EvidenceFlags,
): Promise<void> {
  const { terminal } = context;
  const { out, after = false } = flags;
  if (out === '' || out === '-') {
    throw new DesktopError('bad_arguments', '-o requires a file name.', { hint: 'For example: -o before.txt' });
  }
  const log = given === undefined ? await desktopsLog() : { log: given, state: ledgerPlaces('any', context.env).state };
  const lines = linesAt(log.log);
  const logs = statSync(log.log).isDirectory() ? log.log : dirname(log.log);
  const opened = openEvidence({ logs, state: log.state, lines, seq, after });
  const { content, ...facts } = opened;
  const json = { schema: 1, untrusted: true, ...facts, ...content };
  if (out !== undefined) {
    writeNewFile(out, flags.json ? `${JSON.stringify(json, undefined, 2)}\n` : `${evidenceText(opened)}\n`);
    if (flags.json) printJson(context, { schema: 1, ...facts, file: resolve(out) });
    else terminal.out(`${out}: ${headline(opened)}\n`);
    return;
  }
  if (flags.json) return printJson(context, json);
  const text = evidenceText(opened);
  terminal.out(`${terminal.isTerminal ? colourText(withoutUntrustedMarkers(text), terminal.paint) : text}\n`);

  async function desktopsLog(): Promise<{ log: string; state: string }> {
    const { logs: log, state } = await existingLog(context, flags);
    return { log, state };
  }
}

function headline({ seq, side, tool, at, redacted }: OpenedEvidence): string {
  const when = at.replace('T', ' ').replace('Z', '');
  const how = redacted ? 'secrets or masked text were removed before it was stored' : 'complete';
  return `snapshot ${side} record ${seq} (${tool}, ${when}): matches the log, ${how}`;
}

/** Our own line, then the snapshot as ui_snapshot prints it, marked as text of apps. */
function evidenceText(opened: OpenedEvidence): string {
  const rendered = renderSnapshot(snapshotOf(opened), { maxTokens: ALL_TOKENS });
  return [headline(opened), ...rendered.text.split('\n').slice(1)].join('\n');
}

/** The log stores titles and trees. The window list around them is not part of the evidence. */
function snapshotOf({ seq, side, at, content }: OpenedEvidence): Snapshot {
  const roots = content.roots as Element[];
  const windows = content.windows.map(({ id, title }, index): Snapshot['windows'][number] => ({
    ...{ id, title, ref: roots[index]?.ref ?? '', app: '', role: 'window' },
    ...{ visible: true, minimised: false, maximised: false, active: roots[index]?.states.active === true },
  }));
  const driver = { kind: 'log', name: 'log', version: '' };
  return {
    ...{ schema: 1, untrusted: true, id: `${seq}-${side}`, takenAt: at, scope: 'desktop', driver },
    ...{ windows, roots, count: 0 },
  };
}
