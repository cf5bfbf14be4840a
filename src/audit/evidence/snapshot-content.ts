import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { type SnapshotContent, snapshotText, type Redactor, type TextPlace } from '../ledger.js';
import { hashOf } from '../line.js';
import { BLOB_OVERHEAD } from './blob.js';
import { MAX_BLOB_BYTES } from './blob-store.js';

type Stored = [titles: [id: string, title: string][], roots: unknown[]];

/** The part of a record about its blob. */
export interface BlobNote {
  /** Hash of the stored text. It equals the hash of the snapshot if nothing was redacted. */
  hash?: string;
  /** Why nothing was stored. */
  omitted?: 'too large' | 'hidden' | 'not written';
}

interface PreparedBlob {
  note: BlobNote;
  /** Compressed; absent if nothing may be stored. */
  bytes?: Buffer;
}

const compress = promisify(deflateRaw);
/** Trees repeat themselves: they shrink to a tenth or less. A larger text is not worth the time of an act. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const FAST = 1;

/** Redacted like every other text of the log, and compressed. Undefined content: a window in it is hidden now. */
export async function prepareBlob(
  content: SnapshotContent | undefined,
  redactor: Redactor,
  kind: TextPlace['kind'],
): Promise<PreparedBlob> {
  if (!content) return { note: { omitted: 'hidden' } };
  const text = Buffer.from(redactedText(content, redactor, kind));
  if (text.length > MAX_TEXT_BYTES) return { note: { omitted: 'too large' } };
  const bytes = await compress(text, { level: FAST });
  if (bytes.length + BLOB_OVERHEAD > MAX_BLOB_BYTES) return { note: { omitted: 'too large' } };
  return { note: { hash: hashOf(text) }, bytes };
}

function redactedText(content: SnapshotContent, redactor: Redactor, kind: TextPlace['kind']): string {
  // Parsed again, so that only plain JSON is searched: nothing can hide in a getter or a class.
  const [titles, roots] = JSON.parse(snapshotText(content)) as Stored;
  const clean: Stored = [[], []];
  for (const [at, root] of roots.entries()) {
    const [id] = titles[at] ?? [];
    clean[1].push(redactJson(root, '', (text) => redactor.text(text, { kind, path: ['snapshot'], ...inWindow(id) })));
  }
  for (const [id, title] of titles)
    clean[0].push([id, redactor.text(title, { kind, path: ['snapshot', 'title'], ...inWindow(id) })]);
  return JSON.stringify(clean);
}

const inWindow = (id: string | undefined): { window?: string } => (id === undefined ? {} : { window: id });

/** Values from closed sets, which a short secret could look like. Without them the tree could not be displayed. */
const OUR_FIELDS = new Set(['role', 'ref', 'patterns', 'nameFrom']);

/** Every text of an app; the names of fields are ours. A number that an app shows as a value counts as text. */
function redactJson(value: unknown, key: string, text: (text: string) => string): unknown {
  if (OUR_FIELDS.has(key)) return value;
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' && key === 'value') {
    const clean = text(String(value));
    return clean === String(value) ? value : clean;
  }
  if (Array.isArray(value)) return value.map((item) => redactJson(item, key, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactJson(member, name, text)]));
}

/** Undefined: not what was stored under this hash. */
export function readStoredText(bytes: Buffer, hash: string): SnapshotContent | undefined {
  let text: Buffer;
  try {
    text = inflateRawSync(bytes, { maxOutputLength: MAX_TEXT_BYTES });
  } catch {
    return undefined; // Not compressed by us. The caller reports it.
  }
  if (hashOf(text) !== hash) return undefined;
  const [titles, roots] = JSON.parse(text.toString()) as Stored;
  return { windows: titles.map(([id, title]) => ({ id, title })), roots };
}
