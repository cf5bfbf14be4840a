import { closeSync, fsyncSync, lstatSync, openSync, renameSync, writeFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { createPrivateDirectory, fileFault, platform, type PrivacyFault } from '../platform/index.js';
import { DesktopError } from '../shared/index.js';

function refuse(path: string, fault: PrivacyFault, expected: string): never {
  const [what, hint] = ((): [string, string] => {
    switch (fault) {
      case 'other owner':
        return ['belongs to another user', 'Move it away; a log must be your own.'];
      case 'open to others':
        return ['is open to other users', `Close it: chmod go= ${path}`];
      case 'replaceable':
        return ['lies where other users can exchange it', 'Close the directory above it: chmod o-w'];
      default:
        return [`is not a ${expected}`, 'Move it away; it is in place of a log.'];
    }
  })();
  throw new DesktopError('audit_unavailable', `${path} ${what}.`, { retry: 'no', hint });
}

/** Creates it if it is missing. A faulty one is not repaired, since another program made it so. */
export function makePrivateDirectory(path: string): void {
  const fault = createPrivateDirectory(path);
  if (fault) refuse(path, fault, 'directory');
}

/** Undefined: not there. A link, a directory and a file of another user are refused. */
export function statPrivateFile(path: string): Stats | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const fault = stat && fileFault(stat);
  if (fault) refuse(path, fault, 'plain file');
  return stat;
}

/** Makes a new name durable; see `Platform.syncDirectory`. */
export function syncDirectory(pathInIt: string): void {
  platform().syncDirectory(dirname(pathInIt));
}

/** Readers find the old or the new text, never a part. It is on the disk when this returns. */
export function replaceFile(path: string, text: string, draft = `${path}.new`): void {
  const fd = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, path);
  syncDirectory(path);
}
