import { createHash, randomBytes, sign, verify } from 'node:crypto';
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../../shared/index.js';
import { loadKey, makeKey, publicKeyObject, saveKey, type SegmentKey } from '../keys.js';
import { makePrivateDirectory, replaceFile, statPrivateFile } from '../private-files.js';

const RECORD = z.strictObject({
  v: z.literal(1),
  /** The user's policy file that it is about. */
  path: z.string(),
  content: z.json(),
  /** Ed25519, base64. */
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});

/**
 * The last policy that the user started with or confirmed, signed, beside the keys of the logs. It belongs to the user
 * and not to one desktop: otherwise a desktop with a new name would accept any policy. It has a key of its own, because
 * the keys of logs end with their segments.
 */
export class ConfirmedPolicy {
  private readonly keyPath: string;
  private readonly recordPath: string;

  constructor(
    private readonly state: string,
    private readonly path: string,
  ) {
    const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
    this.keyPath = join(state, 'policy.key');
    this.recordPath = join(state, `policy-${name}.json`);
  }

  /** Undefined: none was recorded yet. `damaged`: something is there that this user's key did not sign. */
  read(): { content: unknown } | 'damaged' | undefined {
    try {
      if (!statPrivateFile(this.recordPath)) return undefined;
      const { path, content, signature } = RECORD.parse(JSON.parse(readFileSync(this.recordPath, 'utf8')));
      const key = this.loadKey();
      if (!key || path !== this.path) return 'damaged';
      const isOurs = verify(
        undefined,
        textOf(path, content),
        publicKeyObject(key.publicKey),
        Buffer.from(signature, 'base64'),
      );
      return isOurs ? { content } : 'damaged';
    } catch {
      // Not ours, not private, not readable or not in our format: the user confirms the policy again.
      return 'damaged';
    }
  }

  /** Durable when this returns. */
  write(content: unknown): void {
    makePrivateDirectory(this.state);
    const { path } = this;
    const signature = sign(undefined, textOf(path, content), this.key().privateKey).toString('base64');
    // Hosts of several desktops may write at the same time.
    const draft = `${this.recordPath}.${randomBytes(4).toString('hex')}`;
    replaceFile(this.recordPath, `${JSON.stringify({ v: 1, path, content, signature })}\n`, draft);
  }

  /** Undefined if it is missing or damaged, or if others could have read it. */
  private loadKey(): SegmentKey | undefined {
    try {
      statPrivateFile(this.keyPath);
    } catch {
      return undefined;
    }
    return loadKey(this.keyPath);
  }

  private key(): SegmentKey {
    const known = this.loadKey();
    if (known) return known;
    // Records that it should have signed are damaged either way.
    if (lstatSync(this.keyPath, { throwIfNoEntry: false })) rmSync(this.keyPath);
    const key = makeKey();
    try {
      saveKey(this.keyPath, key);
      return key;
    } catch (error) {
      // Another host made one in the meantime.
      const other = (error as NodeJS.ErrnoException).code === 'EEXIST' ? this.loadKey() : undefined;
      if (other) return other;
      throw error;
    }
  }
}

const textOf = (path: string, content: unknown): Buffer =>
  Buffer.from(`deskproof-policy/1\n${JSON.stringify(path)}\n${canonicalJson(content)}\n`);
