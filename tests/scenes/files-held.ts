import { readdirSync, readlinkSync } from 'node:fs';

/** Which files under a folder this process holds open, according to Linux. */
export function filesHeldIn(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // The one by which the list was read.
    }
  });
}
