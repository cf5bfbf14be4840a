import { currentLog, ledgerKeys, type LedgerKeys, newLedger, writerOfLog } from '../../../audit/index.js';
import { VERSION } from '../../../config.js';
import { type Choice, userDesktopKey } from '../../../host/index.js';
import { localiseHint, DesktopError } from '../../../shared/index.js';
import { onlyAPerson } from '../approve/ask-here.js';
import { printJson } from '../call-tool.js';
import { closing, type Context, type Flags } from '../context.js';
import { whoseWrittenLog } from './resolve-log.js';

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
  terminal.out(`  ${localiseHint(context.named, 'deskproof audit verify')} --key ${fingerprint}\n`);
}

function keysOf(keys: LedgerKeys | undefined): LedgerKeys {
  if (keys) return keys;
  throw new DesktopError('audit_unavailable', 'The keys of this log are gone or damaged.', {
    hint: 'See what is left: deskproof audit verify. To go on: deskproof audit new --reason TEXT',
  });
}

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

/** Closes the file that is written and begins the next, with a new key. Only the host that writes can do it. */
export async function rotateLog(context: Context, flags: Flags): Promise<void> {
  const { env, desktops, signal, terminal } = context;
  const places = await whoseWrittenLog(context, flags);
  const { desktop } = places;
  // Asked of the log and not of the desktop: to connect to the person's own would start its host.
  if (writerOfLog(places) === undefined) {
    throw new DesktopError(
      'driver_unavailable',
      `Nothing writes the log of ${desktop} now, so nothing can rotate it.`,
      {
        hint: 'Do it while the desktop runs; deskproof desktop list shows what does.',
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
