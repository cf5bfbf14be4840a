import { z } from 'zod';
import { debug, DesktopError } from '../../shared/index.js';
import { ParentLink } from './parent-link.js';
import { runHost } from './run-host.js';
import { asDesktopError } from './server.js';

const Side = z.number().int().min(200).max(8192);

/**
 * The options of a host process. They are passed as JSON in its arguments, which every user can read: nothing secret
 * belongs here.
 */
export const HostOptions = z.strictObject({
  base: z.string(),
  /** Directory below the base: the name of the private desktop, or the key of the user desktop. */
  key: z.string(),
  desktop: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('virtual'),
      name: z.string(),
      size: z.strictObject({ width: Side, height: Side }),
      monitors: z.union([z.literal(1), z.literal(2)]),
      visible: z.boolean(),
    }),
    z.strictObject({ kind: z.literal('user') }),
    z.strictObject({ kind: z.literal('fake'), file: z.string().optional() }),
  ]),
  /** End after this time without a client. If absent, run until stopped. */
  idleMs: z.number().int().positive().optional(),
  /** The user policy, if it is not in the default location. */
  policyFile: z.string().optional(),
  /** Where the session began; its project may have a policy. */
  startDirectory: z.string().optional(),
  /** End when the process that started this one ends, however that happens. */
  endWithParent: z.boolean(),
});
export type HostOptions = z.infer<typeof HostOptions>;

// The host process. Clients start it (start-host.ts), users never do.

/** A private desktop that cannot be ended must not keep the host for ever. Its watchdog keeps trying. */
const LAST_RESORT_MS = 30_000;

const stop = new AbortController();
const end = (reason: DesktopError) => {
  stop.abort(reason);
  setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => end(new DesktopError('driver_unavailable', 'The desktop was stopped.')));
}
// The process that started this one may have closed the other end long ago. Debug lines may be lost.
process.stderr.on('error', () => undefined);
process.on('uncaughtException', (error) => end(asDesktopError(error)));
process.on('unhandledRejection', (reason) => end(asDesktopError(reason)));

let parentLink: ParentLink | undefined;
try {
  parentLink = new ParentLink();
  await runHost(HostOptions.parse(JSON.parse(process.argv[2] ?? '{}')), parentLink, stop.signal);
  process.exit(0);
} catch (error) {
  debug('host', () => String(error));
  await parentLink?.failed(asDesktopError(error));
  process.exit(1);
}
