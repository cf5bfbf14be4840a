import { currentLog, ledgerKeys, newLedger, writerOfLog } from '../../../audit/index.js';
import { VERSION } from '../../../config.js';
import { DesktopError } from '../../../shared/index.js';
import { onlyAPerson } from '../approve/ask-here.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { whoseWrittenLog } from './whose-log.js';

export interface NewFlags extends Flags {
  reason: string;
}

/** Goes on after a log that cannot be continued, in a new one that names it. */
export async function beginLog(context: Context, { reason, ...flags }: NewFlags): Promise<void> {
  onlyAPerson('begins a new log', 'deskproof audit new --reason TEXT');
  const places = await whoseWrittenLog(context, flags);
  const writer = writerOfLog(places);
  if (writer !== undefined) {
    throw new DesktopError('audit_unavailable', `The log of ${places.desktop} is being written (pid ${writer}).`, {
      hint: 'It needs no new one. To begin one all the same, stop the desktop first: deskproof desktop stop',
    });
  }
  await (await newLedger({ places, software: `deskproof/${VERSION}` }, reason)).close();
  const file = currentLog(places);
  const fingerprint = ledgerKeys(places)?.fingerprint;
  if (flags.json) return printJson(context, { schema: 1, file, fingerprint });
  context.terminal.out(`${file}\nThe old files stay. Keep the new fingerprint elsewhere: ${fingerprint}\n`);
}
