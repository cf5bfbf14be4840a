import { type Authorizer, sessionOf, surfaceOf } from '../../runtime/index.js';
import { debug } from '../../shared/index.js';

/**
 * The sessions of those who are here. What people allowed to one ends with it: with the connection of whoever called,
 * or when they say so. All commands of a person are one session, which ends with the host.
 */
export class CallerSessions {
  private readonly begun = new Set<string>();

  constructor(private readonly governor: Pick<Authorizer, 'ledger' | 'endSession'>) {}

  /** `atEnd`: to be called once when whoever called has gone. */
  async begin(caller: string, atEnd: (key: string, end: () => void) => void): Promise<void> {
    const session = sessionOf(caller);
    if (surfaceOf(caller) === 'cli') return;
    atEnd(session, () => void this.end(session));
    if (this.begun.has(session)) return;
    this.begun.add(session);
    await this.note('begin', session);
  }

  async end(session: string): Promise<void> {
    if (!this.begun.delete(session)) return;
    this.governor.endSession(session);
    await this.note('end', session);
  }

  private async note(event: 'begin' | 'end', session: string): Promise<void> {
    const caller = { surface: surfaceOf(session), session };
    try {
      await this.governor.ledger.note({ kind: 'session', event, caller });
    } catch (error) {
      // A log that takes nothing refuses the calls themselves, in its own words; one that is closed has told the end.
      debug('host', () => `session ${event}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
