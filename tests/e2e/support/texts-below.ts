import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { until } from './seat-room.js';

/**
 * The content of all files below these folders. Their writer continues meanwhile: if a file was renamed after it was
 * listed, all are listed again, so that it is read under its current name.
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
