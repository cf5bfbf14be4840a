import { ledgerKeys, type LedgerKeys } from '../../../audit/index.js';
import { commandsFor, DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { whoseWrittenLog } from './whose-log.js';

/** What a person keeps elsewhere to know their log by. */
export async function showKeys(context: Context, flags: Flags): Promise<void> {
  const { terminal } = context;
  const { ledger, fingerprint, keys } = keysOf(ledgerKeys(await whoseWrittenLog(context, flags)));
  if (flags.json) return printJson(context, { schema: 1, ledger, fingerprint, keys });
  terminal.out(`${terminal.paint('bold', fingerprint)}\n`);
  for (const key of keys) {
    const now = key.closed ? 'closed, private half destroyed' : 'in use';
    const line = `segment ${key.segment}  ${key.fingerprint}  since ${key.since.slice(0, 19).replace('T', ' ')}  ${now}`;
    terminal.out(`${terminal.paint('grey', line)}\n`);
  }
  terminal.out('Keep the first line elsewhere. With it, a log that somebody signed anew is found:\n');
  terminal.out(`  ${commandsFor(context.named, 'deskproof audit verify')} --key ${fingerprint}\n`);
}

function keysOf(keys: LedgerKeys | undefined): LedgerKeys {
  if (keys) return keys;
  throw new DesktopError('audit_unavailable', 'The keys of this log are gone or damaged.', {
    hint: 'See what is left: deskproof audit verify. To go on: deskproof audit new --reason TEXT',
  });
}
