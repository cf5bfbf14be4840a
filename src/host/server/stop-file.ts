import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { LedgerPlaces } from '../../audit/index.js';
import type { Stopped, StopKeeper } from '../../runtime/index.js';

const File = z.object({ v: z.literal(1), reason: z.string(), at: z.number(), unwritten: z.literal(true).optional() });

/** `unwritten`: it is not in the log yet, since it was saved by a process that cannot write the log. */
type SavedStop = Stopped & { unwritten?: true };

/** An emergency stop that outlives the host. */
export class StopFile implements StopKeeper {
  constructor(private readonly path: string) {}

  static of({ state, desktop }: LedgerPlaces): StopFile {
    return new StopFile(join(state, `${desktop}.stopped`));
  }

  load(): SavedStop | undefined {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const { reason, at, unwritten } = File.parse(JSON.parse(text));
      return { reason, at, ...(unwritten && { unwritten }) };
    } catch {
      // The user stopped this desktop, and the saved stop cannot be read: it still counts.
      return { reason: 'it was stopped before, and the note of it cannot be read', at: Date.now() };
    }
  }

  save(stopped: SavedStop | undefined): void {
    if (!stopped) return rmSync(this.path, { force: true });
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const { reason, at, unwritten } = stopped;
    const draft = `${this.path}.new`;
    const text = JSON.stringify({ v: 1, reason, at, ...(unwritten && { unwritten }) });
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
    renameSync(draft, this.path);
  }
}
