import { copyFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FixtureApp } from '../../conformance/fixture-app.js';
import type { Env } from './x-seat.js';

/** A program of its own, that is no interpreter by its path: what it runs is a fixture app. */
export class OwnProgram {
  private constructor(readonly path: string) {}

  static in(directory: string, name: string): OwnProgram {
    const path = join(directory, name);
    copyFileSync(realpathSync('/usr/bin/python3'), path);
    return new OwnProgram(path);
  }

  /** `file` is one of tests/fixture-apps. */
  start(file: string, env: Env, ...args: string[]): Promise<FixtureApp> {
    const script = fileURLToPath(new URL(`../../fixture-apps/${file}`, import.meta.url));
    // The copy would look for its library beside itself.
    return FixtureApp.startPath(script, { ...env, PYTHONHOME: '/usr' }, args, this.path);
  }
}
