import { cutText } from '../../shared/index.js';
import { type Draft, LONGEST_PATH, LONGEST_TEXT } from '../record.js';

/** Where a text stands that is about to be written. */
export interface TextPlace {
  kind: Draft['kind'];
  /** Field names from the record down. */
  path: readonly string[];
  tool?: string;
  /** Title of the window that the record is about: short secrets count only where they were typed. */
  window?: string;
}

/** Takes out what must not be written: secrets, masks, text under `redactInLogs`. Asked for every text from outside. */
export interface Redactor {
  text(text: string, place: TextPlace): string;
}

/** For as long as there are no secrets to know. */
export const NOTHING_SECRET: Redactor = { text: (text) => text };

const DEEPEST = 8;
const MOST_MEMBERS = 64;

/** Made or chosen by us from a closed set. All other text is looked at; a field that is forgotten here is safe. */
const OURS = new Set([
  ...['kind', 'tool', 'answer', 'event', 'status', 'delivered', 'changed', 'postcondition', 'error', 'result'],
  ...['hash', 'policy', 'subject', 'snapshot', 'crop', 'signature', 'key', 'next', 'host', 'ledger', 'level'],
]);

/**
 * The one place that every record passes on its way to the log: each text is redacted first and cut then, since a
 * piece of a secret is harder to know again.
 */
export function redact(draft: Draft, redactor: Redactor): Draft {
  const { kind } = draft;
  const tool = 'tool' in draft ? draft.tool : undefined;
  const window = 'target' in draft ? draft.target?.window : undefined;
  const about = { kind, ...(tool !== undefined && { tool }), ...(window !== undefined && { window }) };
  const text = (value: string, path: readonly string[]): string => {
    const clean = redactor.text(value, { ...about, path }).replace(/\p{Surrogate}/gu, '\ufffd');
    return cutText(clean, path.at(-1) === 'program' && path[0] !== 'args' ? LONGEST_PATH : LONGEST_TEXT);
  };
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') {
      // `after` is a hash in an outcome and a story in an open record.
      const ours = path[0] !== 'args' && (OURS.has(path.at(-1)!) || (kind === 'outcome' && path[0] === 'after'));
      return ours ? value : text(value, path);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (path.length > DEEPEST) return '…';
    if (Array.isArray(value)) {
      const items = value.slice(0, MOST_MEMBERS).map((item, at) => walk(item, [...path, String(at)]));
      return value.length > MOST_MEMBERS ? [...items, `…(+${value.length - MOST_MEMBERS})`] : items;
    }
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    const kept = entries.slice(0, MOST_MEMBERS).map(([key, member]) => {
      return [path[0] === 'args' ? text(key, [...path, 'key']) : key, walk(member, [...path, key])];
    });
    if (entries.length > MOST_MEMBERS) kept.push(['…', entries.length - MOST_MEMBERS]);
    return Object.fromEntries(kept);
  };
  return walk(draft, []) as Draft;
}
