import { sign as signBytes, verify as verifyBytes } from 'node:crypto';
import { publicKeyObject, type SegmentKey } from './keys.js';

/** A statement about all lines of the ledger up to `seq`, the last of which has this hash. */
interface Statement {
  ledger: string;
  segment: number;
  seq: number;
  hash: string;
  /** Its writer ended cleanly with this line, so a crash cannot explain anything after it. Only heads have it. */
  ended?: true;
}

export interface SignedStatement extends Statement {
  /** Ed25519, base64. */
  signature: string;
}

/**
 * The second format has a mark at its end, the first has none. Each keeps the meaning that it had when it was
 * introduced.
 */
const FORMAT = { open: 'deskproof-ledger/1', ended: 'deskproof-ledger/2' } as const;

function textOf({ ledger, segment, seq, hash, ended }: Statement): string {
  const lines = `${ledger}\n${segment}\n${seq}\n${hash}\n`;
  return ended ? `${FORMAT.ended}\n${lines}ended\n` : `${FORMAT.open}\n${lines}`;
}

export function sign({ ledger, segment, seq, hash, ended }: Statement, key: SegmentKey): SignedStatement {
  const statement = { ledger, segment, seq, hash, ...(ended && { ended }) };
  const signature = signBytes(undefined, Buffer.from(textOf(statement)), key.privateKey).toString('base64');
  return { ...statement, signature };
}

export function isSignedBy(signed: SignedStatement, publicKey: string): boolean {
  try {
    const signature = Buffer.from(signed.signature, 'base64');
    // Base64 has unused bits at its end: another text for the same bytes is a changed text.
    if (signature.toString('base64') !== signed.signature) return false;
    return verifyBytes(undefined, Buffer.from(textOf(signed)), publicKeyObject(publicKey), signature);
  } catch {
    return false; // An invalid public key has signed nothing.
  }
}

/** The content of the head file. */
export function headText(signed: SignedStatement): string {
  return `${textOf(signed)}${signed.signature}\n`;
}

/** The form for an anchor: one line, so that nothing can come between its parts in a system log. */
export function anchorLine(signed: SignedStatement): string {
  return `${headText(signed).trimEnd().replaceAll('\n', ' ')}\n`;
}

const SIGNED =
  /deskproof-ledger\/[12]\s+(L[0-9a-f]{32})\s+(\d{1,15})\s+(\d{1,15})\s+([0-9a-f]{64})\s+(ended\s+)?([A-Za-z0-9+/]{86}==)/;

/** Finds a statement in a head file, or anywhere in a line that an anchor kept. It does not check the signature. */
export function parseSigned(text: string): SignedStatement | undefined {
  const [, ledger, segment, seq, hash, ended, signature] = SIGNED.exec(text) ?? [];
  if (!ledger || !hash || !signature) return undefined;
  return { ledger, segment: Number(segment), seq: Number(seq), hash, ...(ended && { ended: true }), signature };
}

/** A head file contains exactly one statement, so a change of any byte is found. */
export function parseHead(text: string): SignedStatement | undefined {
  const signed = parseSigned(text);
  return signed && headText(signed) === text ? signed : undefined;
}
