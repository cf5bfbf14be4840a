import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A PATH on which `program` starts and never gets ready, so that a test can act while a client waits for it. */
export function pathWith(directory: string, program: string): string {
  mkdirSync(directory);
  writeFileSync(join(directory, program), '#!/bin/sh\nexec sleep 600\n');
  chmodSync(join(directory, program), 0o755);
  return `${directory}:${process.env.PATH}`;
}
