import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

export interface FoundProgram {
  /** As found, so that programs which look at their own name work. */
  path: string;
  /** Behind all links. */
  realPath: string;
}

/** As the shell would: a name is looked up in PATH, anything with a slash is a path. */
export function findProgram(command: string, searchPath: string, cwd = '/'): FoundProgram | undefined {
  const places = command.includes('/')
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : searchPath
        .split(':')
        .filter(isAbsolute)
        .map((dir) => join(dir, command));
  for (const path of places) if (isExecutable(path)) return { path, realPath: realpathSync(path) };
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Not there, or not for us: the next place in PATH.
  }
}
