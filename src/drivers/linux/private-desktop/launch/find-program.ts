import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

export interface FoundProgram {
  /** As found, because some programs behave differently depending on their own name. */
  path: string;
  /** With all links resolved. */
  realPath: string;
}

/** Works like a shell: a name is searched in PATH, a command with a slash is a path. */
export function findProgram(command: string, searchPath: string, cwd = '/'): FoundProgram | undefined {
  const places = command.includes('/')
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : searchPath
        .split(':')
        .filter(isAbsolute)
        .map((dir) => join(dir, command));
  // Native: the other variant drops `link/..` before it follows the link, and so names another file than the one that
  // is started.
  for (const path of places) if (isExecutable(path)) return { path, realPath: realpathSync.native(path) };
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Missing or not executable for us: try the next directory in PATH.
  }
}
