import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Whether the snapshot was taken before or after the act. */
export type Side = 'before' | 'after';

/** The act that a blob belongs to: `seq` is the number of its intent. */
export interface BlobId {
  ledger: string;
  seq: number;
  side: Side;
}

/**
 * A blob on the disk: `DPEV`, the version, the id of the key, the act (ledger, seq, side), the nonce, the encrypted
 * text, the tag. All bytes before the encrypted text are its associated data, so a blob cannot be moved to another act.
 */
const MAGIC = Buffer.from('DPEV');
const VERSION = 1;
const KEY_ID_BYTES = 8;
const LEDGER_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_AT = MAGIC.length + 1;
const LEDGER_AT = KEY_ID_AT + KEY_ID_BYTES;
const SEQ_AT = LEDGER_AT + LEDGER_BYTES;
const SIDE_AT = SEQ_AT + 8;
const NONCE_AT = SIDE_AT + 1;
const TEXT_AT = NONCE_AT + NONCE_BYTES;

const CIPHER = 'aes-256-gcm';
const SIDES: readonly Side[] = ['before', 'after'];

/** How much longer a blob is than the bytes in it. */
export const BLOB_OVERHEAD = TEXT_AT + TAG_BYTES;

/** Why a blob cannot be opened. */
export type BlobFault =
  | 'not a blob'
  | 'newer version'
  /** It was made for another act. */
  | 'another record'
  | 'another key'
  /** Its bytes are not the ones that were written. */
  | 'changed';

export function sealBlob(bytes: Uint8Array, id: BlobId, key: Buffer): Buffer {
  const header = Buffer.concat([headerOf(id, key), randomBytes(NONCE_BYTES)]);
  const cipher = createCipheriv(CIPHER, key, header.subarray(NONCE_AT), { authTagLength: TAG_BYTES });
  cipher.setAAD(header);
  return Buffer.concat([header, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** The bytes that were sealed, or why they cannot be had. */
export function openBlob(blob: Buffer, id: BlobId, key: Buffer): Buffer | BlobFault {
  if (!blob.subarray(0, MAGIC.length).equals(MAGIC)) return 'not a blob';
  if ((blob[MAGIC.length] ?? 0) > VERSION) return 'newer version';
  if (blob[MAGIC.length] !== VERSION) return 'not a blob';
  if (blob.length < BLOB_OVERHEAD) return 'changed';
  const expected = headerOf(id, key);
  const sameAct = blob.subarray(LEDGER_AT, NONCE_AT).equals(expected.subarray(LEDGER_AT));
  if (!sameAct) return 'another record';
  if (!blob.subarray(0, NONCE_AT).equals(expected)) return 'another key';
  const decipher = createDecipheriv(CIPHER, key, blob.subarray(NONCE_AT, TEXT_AT), { authTagLength: TAG_BYTES });
  decipher.setAAD(blob.subarray(0, TEXT_AT));
  decipher.setAuthTag(blob.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(blob.subarray(TEXT_AT, -TAG_BYTES)), decipher.final()]);
  } catch {
    return 'changed'; // The tag does not fit. Node reports nothing beyond that.
  }
}

/** All bytes before the nonce. */
function headerOf({ ledger, seq, side }: BlobId, key: Buffer): Buffer {
  const header = Buffer.alloc(NONCE_AT);
  MAGIC.copy(header);
  header[MAGIC.length] = VERSION;
  // Distinguishes a wrong key from changed bytes. It reveals nothing about the key.
  createHash('sha256').update('deskproof-evidence-key\n').update(key).digest().copy(header, KEY_ID_AT, 0, KEY_ID_BYTES);
  Buffer.from(ledger.slice(1), 'hex').copy(header, LEDGER_AT, 0, LEDGER_BYTES);
  header.writeBigUInt64BE(BigInt(seq), SEQ_AT);
  header[SIDE_AT] = SIDES.indexOf(side) + 1;
  return header;
}

const NAME = /^(L[0-9a-f]{32})-(\d{6,15})-(before|after)\.blob$/;

export function blobName({ ledger, seq, side }: BlobId): string {
  return `${ledger}-${String(seq).padStart(6, '0')}-${side}.blob`;
}

/** Undefined: not the name of a blob. */
export function parseBlobName(name: string): BlobId | undefined {
  const [, ledger, seq, side] = NAME.exec(name) ?? [];
  const id = ledger === undefined ? undefined : { ledger, seq: Number(seq), side: side as Side };
  return id && blobName(id) === name ? id : undefined;
}
