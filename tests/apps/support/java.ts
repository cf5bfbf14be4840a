import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FixtureApp } from '../../conformance/fixture-app.js';

const JDK = '/usr/bin';

/** A compiled fixture app in Java. */
export interface JavaFixture {
  folder: string;
  start(env: Readonly<Record<string, string>>, args?: readonly string[]): Promise<FixtureApp>;
  remove(): Promise<void>;
}

/** Compiles a fixture of tests/fixture-apps: a start from source would compile it each time. */
export async function compileJava(name: string): Promise<JavaFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'dp-java-'));
  const source = fileURLToPath(new URL(`../../fixture-apps/${name}.java`, import.meta.url));
  await promisify(execFile)(`${JDK}/javac`, ['-encoding', 'UTF-8', '-d', folder, source]);
  return {
    folder,
    start: (env, args = []) =>
      FixtureApp.startProgram(
        `${JDK}/java`,
        ['-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', folder, name, ...args],
        env,
        name,
      ),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
