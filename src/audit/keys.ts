import { createHash, createPrivateKey, createPublicKey, randomBytes, type KeyObject } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { syncDirectory } from './private-files.js';

/** Signs one segment. The private key leaves this object only for its file. */
export interface SegmentKey {
  /** Raw, base64, as in `open` records. */
  publicKey: string;
  privateKey: KeyObject;
}

/** The bytes before the 32 bytes of an Ed25519 key in PKCS 8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/**
 * Any 32 random bytes are such a key. generateKeyPairSync is not used: in Node 20 the process hangs for good if garbage
 * is collected at the moment when a key that it made is exported.
 */
export function makeKey(): SegmentKey {
  const key = Buffer.concat([PKCS8_PREFIX, randomBytes(SEED_BYTES)]);
  try {
    return keyFrom(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
  } finally {
    key.fill(0);
  }
}

function keyFrom(privateKey: KeyObject): SegmentKey {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: Buffer.from(x, 'base64url').toString('base64') };
}

export function publicKeyObject(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** What the user keeps elsewhere to recognise the ledger: `SHA256:…`, in the format of ssh. */
export function fingerprint(publicKey: string): string {
  const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64');
  return `SHA256:${hash.replace(/=+$/, '')}`;
}

export function saveKey(path: string, { privateKey }: SegmentKey): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeSync(fd, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  syncDirectory(path);
}

/** Undefined: there is no file, or it is not a key. */
export function loadKey(path: string): SegmentKey | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const key = createPrivateKey(text);
    return key.asymmetricKeyType === 'ed25519' ? keyFrom(key) : undefined;
  } catch {
    return undefined; // Damaged counts as missing; the caller reports it.
  }
}

/** Overwritten and removed. Disks that write to another place may keep the old bytes; no program can prevent that. */
export function destroyKey(path: string): void {
  const fd = openSync(path, 'r+');
  try {
    writeSync(fd, Buffer.alloc(fstatSync(fd).size));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  unlinkSync(path);
  syncDirectory(path);
}
