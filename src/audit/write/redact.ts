import { cutMark, cutText } from '../../shared/index.js';
import { type Draft, MAX_PATH, MAX_TEXT } from '../record.js';

/** The position of a text that is about to be written. */
export interface TextPlace {
  kind: Draft['kind'];
  /** Field names, from the record down. */
  path: readonly string[];
  tool?: string;
  /** Title of the window of the record: short secrets are redacted only where they were typed. */
  window?: string;
}

/** Removes what must not be written: secrets, masks, text under `redactInLogs`. Called for every text from outside. */
export interface Redactor {
  text(text: string, place: TextPlace): string;
}

/** Used while there are no secrets. */
export const NO_REDACTION: Redactor = { text: (text) => text };

const MAX_DEPTH = 8;
const MAX_MEMBERS = 64;

/**
 * Values that we create or that come from a closed set. All other text is redacted, so a field that is missing here is
 * safe.
 */
const TRUSTED_FIELDS = new Set([
  ...['kind', 'tool', 'answer', 'event', 'status', 'delivered', 'changed', 'postcondition', 'error', 'result'],
  ...['hash', 'policy', 'subject', 'snapshot', 'crop', 'signature', 'key', 'next', 'host', 'ledger', 'level'],
  ...['omitted', 'before'],
]);

/**
 * Every record passes here on its way to the log. Each text is redacted before it is cut, since a piece of a secret is
 * harder to recognise.
 */
export function redact(draft: Draft, redactor: Redactor): Draft {
  const { kind } = draft;
  const tool = 'tool' in draft ? draft.tool : undefined;
  const window = 'target' in draft ? draft.target?.window : undefined;
  const about = { kind, ...(tool !== undefined && { tool }), ...(window !== undefined && { window }) };
  const text = (value: string, path: readonly string[]): string => {
    const clean = redactor.text(value, { ...about, path }).replace(/\p{Surrogate}/gu, '\ufffd');
    return cutText(clean, path.at(-1) === 'program' && path[0] !== 'args' ? MAX_PATH : MAX_TEXT);
  };
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') {
      // `after` is a hash in an outcome, but text in an open record.
      const ours =
        path[0] !== 'args' && (TRUSTED_FIELDS.has(path.at(-1)!) || (kind === 'outcome' && path[0] === 'after'));
      return ours ? value : text(value, path);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (path.length > MAX_DEPTH) return '…';
    if (Array.isArray(value)) {
      const items = value.slice(0, MAX_MEMBERS).map((item, at) => walk(item, [...path, String(at)]));
      return value.length > MAX_MEMBERS ? [...items, cutMark(value.length - MAX_MEMBERS)] : items;
    }
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    const kept = entries.slice(0, MAX_MEMBERS).map(([key, member]) => {
      return [path[0] === 'args' ? text(key, [...path, 'key']) : key, walk(member, [...path, key])];
    });
    if (entries.length > MAX_MEMBERS) kept.push(['…', entries.length - MAX_MEMBERS]);
    return Object.fromEntries(kept);
  };
  return walk(draft, []) as Draft;
}
