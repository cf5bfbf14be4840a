import { z } from 'zod';
import { debug, DesktopError } from '../../shared/index.js';
import { ParentLink } from './parent-link.js';
import { runHost } from './run-host.js';
import { asDesktopError } from './server.js';

const Side = z.number().int().min(200).max(8192);

/** What a host process is told when it starts; travels as JSON in its arguments, so nothing secret belongs here. */
export const HostOptions = z.strictObject({
  base: z.string(),
  /** Directory below the base: the private desktop's name, or the key of the person's session. */
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
  /** End after this long without a client; absent: live until told to stop. */
  idleMs: z.number().int().positive().optional(),
  /** The person's policy, when it is not in its usual place. */
  policyFile: z.string().optional(),
  /** Where the session began: its project may have a policy. */
  startDirectory: z.string().optional(),
  /** End when the process that started us goes away, however it goes. */
  leash: z.boolean(),
});
export type HostOptions = z.infer<typeof HostOptions>;

// The host process. Started by a client (start-host.ts), never by a person.

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

let leash: ParentLink | undefined;
try {
  leash = new ParentLink();
  await runHost(HostOptions.parse(JSON.parse(process.argv[2] ?? '{}')), leash, stop.signal);
  process.exit(0);
} catch (error) {
  debug('host', () => String(error));
  await leash?.failed(asDesktopError(error));
  process.exit(1);
}
