import type { WithServer } from './config-text.js';

/** What a change takes out and puts in, line by line. What is around it is not shown: it may hold keys. */
export function changedLines({ changes }: WithServer): string[] {
  return changes.flatMap(({ out, into }) => [
    ...linesOf(out).map((line) => `- ${line}`),
    ...linesOf(into).map((line) => `+ ${line}`),
  ]);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/\r?\n/);
}
