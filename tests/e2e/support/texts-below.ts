import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { until } from './seat-room.js';

/**
 * What all files below these folders hold. Whoever writes them goes on meanwhile: when one of them took another's place
 * after they were listed, all are listed anew, so that it is read under the name that it has now.
 */
export function textsBelow(folders: readonly string[], counts: (entry: Dirent) => boolean = () => true) {
  return until('a moment without new files', () => Promise.resolve(textsOrNone(folders, counts)));
}

function textsOrNone(folders: readonly string[], counts: (entry: Dirent) => boolean): string[] | undefined {
  try {
    return folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && counts(entry))
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
