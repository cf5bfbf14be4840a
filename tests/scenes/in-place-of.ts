import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';

/** Nothing can be written there any more, not even by root, until it is freed. */
export function inPlaceOf(path: string): () => void {
  const aside = `${path}.aside`;
  const there = existsSync(path);
  if (there) renameSync(path, aside);
  mkdirSync(path);
  return () => {
    rmdirSync(path);
    if (there) renameSync(aside, path);
  };
}
