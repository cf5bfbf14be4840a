import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// What a failed desktop test leaves: the seeds of its random numbers, and the diaries of its fixture apps.

export interface Diary {
  /** The fixture app. */
  name: string;
  lines: () => readonly unknown[] | Promise<readonly unknown[]>;
}

/** A file that starts an app for each of its tests keeps the diaries of the last ones. */
const MOST_DIARIES = 6;
const MOST_PRINTED = 40;
/** A page that was closed does not answer. */
const ANSWER_MS = 3_000;

const seeds = new Set<number>();
let diaries: Diary[] = [];

export function noteSeed(seed: number): number {
  seeds.add(seed);
  return seed;
}

export function noteDiary(diary: Diary): void {
  diaries = [...diaries, diary].slice(-MOST_DIARIES);
}

export function forgetEvidence(): void {
  seeds.clear();
  diaries = [];
}

/** As text to print. With a folder, each whole diary is also written there: `STEM.diary-1.jsonl`. */
export async function evidence(folder?: string, stem = 'test'): Promise<string> {
  const parts = seeds.size > 0 ? [`seed ${[...seeds].join(', ')}`] : [];
  for (const [at, { name, lines }] of diaries.entries()) {
    const texts = (await withinReach(lines)).map((line) => JSON.stringify(line));
    if (texts.length === 0) continue;
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, `${stem}.diary-${at + 1}.jsonl`), `${texts.join('\n')}\n`, { mode: 0o600 });
    }
    const shown = texts.slice(-MOST_PRINTED);
    parts.push(`diary of ${name}, the last ${shown.length} of ${texts.length} lines:\n${shown.join('\n')}`);
  }
  return parts.join('\n');
}

async function withinReach(lines: Diary['lines']): Promise<readonly unknown[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((resolve) => (timer = setTimeout(() => resolve([]), ANSWER_MS)));
  try {
    return await Promise.race([lines(), late]);
  } catch {
    return []; // The app is gone. The failure itself is what counts.
  } finally {
    clearTimeout(timer);
  }
}
