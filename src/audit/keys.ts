import { createHash, createPrivateKey, createPublicKey, randomBytes, type KeyObject } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { syncDirectory } from './private-files.js';

/** Signs one segment. The private half leaves this object only for its file. */
export interface SegmentKey {
  /** Raw, base64: as it stands in `open` records. */
  publicKey: string;
  privateKey: KeyObject;
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS 8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/**
 * Any 32 random bytes are such a key. Not by generateKeyPairSync: in Node 20 the process stops for good when garbage is
 * collected in the moment that a key which that made is exported.
 */
export function makeKey(): SegmentKey {
  const key = Buffer.concat([PKCS8_HEAD, randomBytes(SEED_BYTES)]);
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

/** What a person keeps elsewhere to know the ledger by: `SHA256:…`, as ssh writes them. */
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

/** Undefined: there is none, or it is no key. */
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
    return undefined; // Damaged: as good as gone, and whoever asked says so.
  }
}

/** Overwritten and removed. Disks that write elsewhere may keep the old bytes; no program can help that. */
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
