import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { platform } from '../../platform/index.js';
import type { PolicyFile } from '../../policy/index.js';

interface InlinePolicy {
  file: string;
  /** Removes the file if it was created for this desktop. */
  remove(): void;
}

const PREFIX = 'deskproof-policy-';

/**
 * The host reads policies from files. So a policy that is passed as an object is written to a file that only its owner
 * can read.
 */
export function writeInlinePolicy(policy: string | PolicyFile): InlinePolicy {
  if (typeof policy === 'string') return { file: resolve(policy), remove: () => undefined };
  removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const file = join(folder, 'policy.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(policy), { mode: 0o600 });
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { file, remove };
}

/** Removes files whose process was killed. If its pid is in use again the file stays: it is small and private. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const owner = Number(/^\d+(?=-)/.exec(name.slice(PREFIX.length))?.[0]);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat && platform().isOwnedByUser(stat) && owner > 0 && platform().startTimeOf(owner) === undefined)
      rmSync(folder, { recursive: true, force: true });
  }
}
