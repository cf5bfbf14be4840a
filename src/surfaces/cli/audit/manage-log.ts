import { currentLog, ledgerKeys, type LedgerKeys, newLedger, writerOfLog } from '../../../audit/index.js';
import { VERSION } from '../../../config.js';
import { type Choice, userDesktopKey } from '../../../host/index.js';
import { localiseHint, DesktopError } from '../../../shared/index.js';
import { requireUser } from '../approve/ask-here.js';
import { printJson } from '../call-tool.js';
import { closing, type Context, type Flags } from '../context.js';
import { existingLog } from './resolve-log.js';

/** Prints the fingerprint that the user keeps in another place to recognise the log. */
export async function showKeys(context: Context, flags: Flags): Promise<void> {
  const { terminal } = context;
  const { ledger, fingerprint, keys } = requireKeys(ledgerKeys(await existingLog(context, flags)));
  if (flags.json) return printJson(context, { schema: 1, ledger, fingerprint, keys });
  terminal.out(`${terminal.paint('bold', fingerprint)}\n`);
  for (const key of keys) {
    const now = key.closed ? 'closed, private key destroyed' : 'in use';
    const line = `segment ${key.segment}  ${key.fingerprint}  since ${key.since.slice(0, 19).replace('T', ' ')}  ${now}`;
    terminal.out(`${terminal.paint('grey', line)}\n`);
  }
  terminal.out('Keep the first line in another place. It detects a log that was signed again with other keys:\n');
  terminal.out(`  ${localiseHint(context.named, 'deskproof audit verify')} --key ${fingerprint}\n`);
}

function requireKeys(keys: LedgerKeys | undefined): LedgerKeys {
  if (keys) return keys;
  throw new DesktopError('audit_unavailable', 'The keys of this log are missing or damaged.', {
    hint: 'See what is left: deskproof audit verify. To continue with a new log: deskproof audit new --reason TEXT',
  });
}

export interface NewFlags extends Flags {
  reason: string;
}

/** Starts a new log after one that cannot be continued; the new log names the old one. */
export async function startLog(context: Context, { reason, ...flags }: NewFlags): Promise<void> {
  requireUser('start a new log', 'deskproof audit new --reason TEXT');
  const places = await existingLog(context, flags);
  const writer = writerOfLog(places);
  if (writer !== undefined) {
    throw new DesktopError('audit_unavailable', `The log of ${places.desktop} is being written (pid ${writer}).`, {
      hint: 'It needs no new log. To start one anyway, stop the desktop first: deskproof desktop stop',
    });
  }
  await (await newLedger({ places, software: `deskproof/${VERSION}` }, reason)).close();
  const file = currentLog(places);
  const fingerprint = ledgerKeys(places)?.fingerprint;
  if (flags.json) return printJson(context, { schema: 1, file, fingerprint });
  context.terminal.out(`${file}\nThe old files are kept. Keep the new fingerprint in another place: ${fingerprint}\n`);
}

/**
 * Closes the current log file and starts the next one with a new key. Only the host that writes the log can do this.
 */
export async function rotateLog(context: Context, flags: Flags): Promise<void> {
  const { env, desktops, signal, terminal } = context;
  const places = await existingLog(context, flags);
  const { desktop } = places;
  // Checks the log and not the desktop: connecting to the user's own desktop would start its host.
  if (writerOfLog(places) === undefined) {
    throw new DesktopError(
      'driver_unavailable',
      `No desktop is writing the log of ${desktop} now, so it cannot be rotated.`,
      {
        hint: 'Rotate it while the desktop runs. deskproof desktop list shows running desktops.',
      },
    );
  }
  const closed = currentLog(places);
  const choice: Choice = desktop === userDesktopKey(env) ? { kind: 'user' } : { kind: 'private', name: desktop };
  const host = await desktops.connect(choice);
  await closing(host, () => host.request('rotate', {}, { signal }));
  const key = ledgerKeys(places)?.keys.at(-1)?.fingerprint;
  if (flags.json) return printJson(context, { schema: 1, closed, file: currentLog(places), key });
  terminal.out(`closed ${closed}, its private key is destroyed\n${currentLog(places)}${key ? `, key ${key}` : ''}\n`);
}
