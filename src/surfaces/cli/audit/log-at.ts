import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readLog, segmentOf, type ReadLine } from '../../../audit/index.js';
import { DesktopError } from '../../../shared/index.js';

/** All lines of a log that was named: a folder, or one file in it. */
export function linesAt(log: string): Iterable<ReadLine> {
  const stat = statSync(log, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return readLog(log);
  const segment = segmentOf(basename(log));
  if (!stat || segment === undefined) {
    const what = `${JSON.stringify(log.slice(0, 200))} is ${stat ? 'not a log' : 'not there'}.`;
    throw new DesktopError('bad_arguments', what, {
      hint: 'Give the folder of a log or a file in it such as 000001.jsonl.',
    });
  }
  return [...readLog(dirname(log))].filter((line) => line.segment === segment);
}
