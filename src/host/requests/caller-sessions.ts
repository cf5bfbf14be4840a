import { type Authorizer, sessionOf, surfaceOf } from '../../runtime/index.js';
import { debug } from '../../shared/index.js';

/**
 * The sessions of the connected callers. The grants of a session end with it: when its connection closes, or when the
 * caller leaves. All commands on the command line share one session, which ends with the host.
 */
export class CallerSessions {
  private readonly active = new Set<string>();

  constructor(private readonly authorizer: Pick<Authorizer, 'ledger' | 'endSession'>) {}

  /** `atEnd` registers work for when the caller has disconnected. */
  async begin(caller: string, atEnd: (key: string, end: () => void) => void): Promise<void> {
    const session = sessionOf(caller);
    if (surfaceOf(caller) === 'cli') return;
    atEnd(session, () => void this.end(session));
    if (this.active.has(session)) return;
    this.active.add(session);
    await this.note('begin', session);
  }

  async end(session: string): Promise<void> {
    if (!this.active.delete(session)) return;
    this.authorizer.endSession(session);
    await this.note('end', session);
  }

  private async note(event: 'begin' | 'end', session: string): Promise<void> {
    const caller = { surface: surfaceOf(session), session };
    try {
      await this.authorizer.ledger.note({ kind: 'session', event, caller });
    } catch (error) {
      // A log that cannot be written refuses the calls themselves, with its own error. A closed log has already
      // recorded the end.
      debug('host', () => `session ${event}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
