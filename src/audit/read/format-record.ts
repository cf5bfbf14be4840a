import type { AuditRecord } from '../record.js';
import type { ReadLine } from './read-log.js';

type Words = (string | undefined | false)[];

// A log can be edited: its text must not move the cursor or reverse the text direction.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu;

const safe = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
const quote = (text: string | undefined): string | undefined => (text === undefined ? undefined : JSON.stringify(text));
const program = (path: string | undefined): string | undefined => path?.split('/').at(-1);

function targetWords(record: AuditRecord): Words {
  if (!('target' in record) && !('app' in record)) return [];
  const { target, app } = record as Extract<AuditRecord, { kind: 'intent' }>;
  const where = program(app?.program) ?? app?.name;
  return [
    target?.role,
    quote(target?.name),
    target?.window !== undefined && `in ${quote(target.window)}`,
    where !== undefined && `(${where})`,
  ];
}

/** Arguments that describe an act if its target does not. */
const DESCRIBING_ARGUMENTS = [
  'action',
  'command',
  'args',
  'keys',
  'text',
  'value',
  'x',
  'y',
  'direction',
  'amount',
  'until',
  'to',
];
const MAX_VALUE_LENGTH = 60;

function argumentWords({ args, target }: Pick<Extract<AuditRecord, { kind: 'intent' }>, 'args' | 'target'>): Words {
  // If no target was found, show what was searched for.
  const telling = target === undefined ? ['target', 'from', ...DESCRIBING_ARGUMENTS] : DESCRIBING_ARGUMENTS;
  return telling
    .filter((name) => args !== undefined && Object.hasOwn(args, name))
    .map((name) => {
      const value = args![name];
      if (Array.isArray(value) && value.length === 0) return undefined;
      const hidden = value as { redacted?: unknown; others?: unknown } | null;
      if (hidden?.redacted === true) {
        return typeof hidden.others === 'string'
          ? `${name} ${quote(hidden.others)} (… left out)`
          : `${name} (left out)`;
      }
      const text = JSON.stringify(value);
      return `${name} ${text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text}`;
    });
}

function decisionWords(decision: Extract<AuditRecord, { kind: 'intent' }>['decision']): string {
  const { answer, rule, by, scope, risk } = decision;
  const how = by === undefined ? '' : ` by ${by}${scope === undefined ? '' : `, ${scope}`}`;
  return `${answer} ${rule}${risk ? ` (${risk.level} ${risk.score})` : ''}${how}`;
}

function evidenceWords(blob: Extract<AuditRecord, { kind: 'outcome' }>['blob']): string | undefined {
  if (blob?.omitted !== undefined) return `evidence left out (${blob.omitted})`;
  return blob && 'evidence stored';
}

function words(record: AuditRecord): Words {
  switch (record.kind) {
    case 'open':
      return [
        `segment ${record.segment}`,
        record.software,
        record.after && `after ${record.after.ledger}: ${record.after.reason}`,
      ];
    case 'close':
      return [`segment ${record.segment}`, `(${record.reason})`];
    case 'session':
      return [record.event, record.caller.surface, record.caller.session];
    case 'policy':
      return [record.event, record.policy.slice(0, 12), record.by && `by ${record.by}`];
    case 'grant':
      return [record.event, record.scope, record.tool, ...targetWords(record), record.by && `by ${record.by}`];
    case 'pause':
    case 'stop':
    case 'resume':
      return [`by ${record.by}`, record.reason];
    case 'call':
      return [
        record.tool,
        ...targetWords(record),
        ...(record.status === 'ok' ? [] : argumentWords(record)),
        record.status,
        record.error,
        record.repeat !== undefined && `${record.repeat} times`,
        record.status === 'refused' && decisionWords(record.decision),
      ];
    case 'ask':
      return [record.tool, ...targetWords(record), decisionWords(record.decision), `on ${record.channels.join(', ')}`];
    case 'answer':
      return [
        record.result,
        record.scope,
        record.channel && `by ${record.channel}`,
        `after ${record.ms} ms`,
        quote(record.reason),
      ];
    case 'intent':
      return [
        record.tool,
        ...targetWords(record),
        ...argumentWords(record),
        decisionWords(record.decision),
        evidenceWords(record.evidence?.blob),
      ];
    case 'outcome':
      return [
        `of ${record.of}`,
        record.status,
        record.error,
        `delivered ${record.delivered}`,
        record.changed && `changed ${record.changed}`,
        record.postcondition,
        `${record.cost.ms} ms`,
        evidenceWords(record.blob),
      ];
    case 'retention':
      return [`deleted ${record.deleted} stored snapshots from before ${record.before.slice(0, 10)}`];
    case 'checkpoint':
      return [`signed to ${record.signed.seq}`];
    case 'recovered':
      return [
        record.torn && `${record.torn.bytes} stray bytes in ${record.torn.file}`,
        record.unsigned && `${record.unsigned.count} unsigned from ${record.unsigned.from}`,
        record.unfinished.length > 0 && `no outcome of ${record.unfinished.join(', ')}`,
      ];
  }
}

/** One line for users: `118 10:30:45.120 intent ui_click button "Save" …` */
export function recordText(record: AuditRecord): string {
  const text = words(record)
    .filter((word) => typeof word === 'string' && word !== '')
    .join(' ');
  const when = record.at.replace('T', ' ').replace('Z', '');
  return safe(`${String(record.seq).padStart(6)}  ${when}  ${record.kind.padEnd(10)}  ${text}`).trimEnd();
}

export function readLineText({ segment, line, record, problem }: ReadLine): string {
  return record ? recordText(record) : `line ${line} of segment ${segment}: ${problem}`;
}
