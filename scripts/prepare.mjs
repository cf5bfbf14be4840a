// The set-up that npm start and npm test share: dependencies, build, system packages. Prints nothing when all is there.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build, isBuilt } from './build.mjs';
import { ensurePackages, packagesProblem } from './packages.mjs';
import { giveUp, quietly, ROOT } from './run.mjs';

/** `optional`: packages that cannot be installed are returned as a sentence, and do not end this process. */
export async function prepare({ packages, optional = false }) {
  if (process.platform !== 'linux')
    giveUp('Private desktops need Linux for now: docs/drivers.md says what works where.');
  await installDependencies();
  const problem = optional ? await packagesProblem(packages) : await ensurePackages(packages);
  if (problem === undefined) await ensureBuild();
  return problem;
}

async function installDependencies() {
  const installed = join(ROOT, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs) return;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!(await quietly('npm dependencies', 'npm', args))) giveUp('  npm ci failed: is the network there?');
}

async function ensureBuild() {
  if (isBuilt()) return;
  process.stdout.write('  build … ');
  const started = Date.now();
  const problems = await build();
  console.log(problems ? 'failed' : `done in ${Math.max(1, Math.round((Date.now() - started) / 1000))} s`);
  if (problems) giveUp(problems);
}
