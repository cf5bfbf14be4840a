import type { AuditRecord } from '../audit/index.js';
import { callerText } from './caller-text.js';
import type { EventStep } from './trace.js';

type Event = Omit<EventStep, 'number' | 'seq' | 'at' | 'kind'>;

const person = ({ by, reason }: { by: string; reason?: string }) => ({
  by,
  ...(reason !== undefined && { said: reason }),
});

/** What happened around the acts, in words; undefined for what only the chain needs. */
export function eventOf(record: AuditRecord): Event | undefined {
  switch (record.kind) {
    case 'open':
      if (record.after) {
        const { ledger, reason } = record.after;
        return { what: 'open', result: 'noted', words: `A new log, after ${ledger} could not go on`, said: reason };
      }
      return record.segment === 1 ? { what: 'open', result: 'noted', words: 'The log begins' } : undefined;
    case 'session': {
      const words = `${callerText(record.caller)} ${record.event === 'begin' ? 'came' : 'left'}`;
      return { what: 'session', result: 'noted', words };
    }
    case 'policy':
      return {
        ...{ what: 'policy', result: 'noted', words: `${record.event} ${record.policy.slice(0, 12)}` },
        ...(record.by !== undefined && { by: record.by }),
      };
    case 'grant':
      return {
        ...{ what: 'grant', result: 'noted' },
        words: [record.event, `for ${record.scope}`, record.tool].filter(Boolean).join(' '),
        ...(record.by !== undefined && { by: record.by }),
      };
    case 'pause':
      return { what: 'pause', result: 'noted', words: 'Paused', ...person(record) };
    case 'stop':
      return { what: 'stop', result: 'denied', words: 'Stopped', ...person(record) };
    case 'resume':
      return { what: 'resume', result: 'noted', words: 'Let go on', ...person(record) };
    case 'recovered': {
      const { torn, unsigned, unfinished } = record;
      const parts = [
        torn && `${torn.bytes} stray bytes were set aside`,
        unsigned && `${unsigned.count} records from ${unsigned.from} on were not signed yet`,
        unfinished.length > 0 && `the outcome of ${unfinished.join(', ')} is not known`,
      ].filter(Boolean);
      return {
        what: 'recovered',
        result: 'unknown',
        words: `Went on after a crash: ${parts.join('; ') || 'nothing was lost'}`,
      };
    }
    default:
      return undefined;
  }
}
