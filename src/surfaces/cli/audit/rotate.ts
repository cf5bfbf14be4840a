import { currentLog, ledgerKeys, writerOfLog } from '../../../audit/index.js';
import { userDesktopKey, type Choice } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import { closing, type Context, type Flags } from '../context.js';
import { whoseWrittenLog } from './whose-log.js';

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
