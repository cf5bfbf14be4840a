import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Stopped, StopKeeper } from '../runtime/index.js';

const File = z.object({ v: z.literal(1), reason: z.string(), at: z.number() });

/** A stop that is still one after the host has ended and another has begun. */
export class StopFile implements StopKeeper {
  constructor(private readonly path: string) {}

  load(): Stopped | undefined {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const { reason, at } = File.parse(JSON.parse(text));
      return { reason, at };
    } catch {
      // Somebody wished to stop, and what is left of it cannot be read: that is a stop.
      return { reason: 'it was stopped before, and the note of it cannot be read', at: Date.now() };
    }
  }

  save(stopped: Stopped | undefined): void {
    if (!stopped) return rmSync(this.path, { force: true });
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const { reason, at } = stopped;
    const fresh = `${this.path}.new`;
    writeFileSync(fresh, `${JSON.stringify({ v: 1, reason, at })}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, this.path);
  }
}
