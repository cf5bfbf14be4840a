// The host process. Started by a client (start-host.ts), never by a person.
import { debug, DesktopError } from '../shared/index.js';
import { HostOptions } from './host-options.js';
import { Leash } from './leash.js';
import { runHost } from './run-host.js';
import { asDesktopError } from './session.js';

/** A seat that cannot be ended must not keep the host for ever; its keeper goes on trying. */
const LAST_RESORT_MS = 30_000;

const stop = new AbortController();
const end = (reason: DesktopError) => {
  stop.abort(reason);
  setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => end(new DesktopError('driver_unavailable', 'The desktop was stopped.')));
}
// Whoever started us may have closed the other end long ago; debug lines are safe to lose.
process.stderr.on('error', () => undefined);
process.on('uncaughtException', (error) => end(asDesktopError(error)));
process.on('unhandledRejection', (reason) => end(asDesktopError(reason)));

let leash: Leash | undefined;
try {
  leash = new Leash();
  await runHost(HostOptions.parse(JSON.parse(process.argv[2] ?? '{}')), leash, stop.signal);
  process.exit(0);
} catch (error) {
  debug('host', () => String(error));
  await leash?.failed(asDesktopError(error));
  process.exit(1);
}
