import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DesktopError } from '../../../shared/index.js';
import { dataDirs } from './bus.js';
import { DEFAULT_PATH } from './environment.js';
import { findProgram } from './find-program.js';
import { installLine, packageOf } from './packages.js';

export interface Missing {
  program: string;
  package: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Programs without which no private desktop starts; for `doctor`, `demo` and the error below. */
export function missingForSeat(options: { visible?: boolean; env?: Env } = {}): Missing[] {
  const env = options.env ?? process.env;
  const programs = [options.visible ? 'Xephyr' : 'Xvfb', 'xkbcomp', 'openbox', 'dbus-daemon'];
  const missing = programs.filter((program) => !findProgram(program, env.PATH ?? DEFAULT_PATH));
  // Where its program lies differs between systems; the bus finds it by this file.
  if (!dataDirs(env).some((dir) => existsSync(join(dir, 'dbus-1/services/org.a11y.Bus.service')))) {
    missing.push('at-spi-bus-launcher');
  }
  return missing.map((program) => ({ program, package: packageOf(program) ?? program }));
}

/** All that is missing in one error, with the line that mends it. */
export function requireForSeat(options: { visible?: boolean; env?: Env }): void {
  const missing = missingForSeat(options);
  if (missing.length === 0) return;
  const list = missing.map((one) => `${one.program} (package ${one.package})`).join(', ');
  throw new DesktopError('driver_unavailable', `A private desktop needs ${list}.`, {
    hint: `Install: ${installLine([...new Set(missing.map((one) => one.package))])}`,
    details: { missing },
  });
}
