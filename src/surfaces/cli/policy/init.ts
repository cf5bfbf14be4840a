import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyPlaces } from '../../../policy/index.js';
import { DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import type { Context } from '../context.js';
import type { InitFlags } from './command.js';
import { startText } from './start-text.js';

/** Editors complete and check the file by it. */
const SCHEMA = fileURLToPath(new URL('../../../../docs/policy.schema.json', import.meta.url));

/** A first policy in its usual place. One that is there stays: it may be all that holds somebody back. */
export function initPolicy(context: Context, flags: InitFlags): void {
  const { terminal } = context;
  const text = startText(SCHEMA);
  const { user: file } = policyPlaces();
  if (flags.print) {
    if (flags.json) printJson(context, { schema: 1, file, text });
    else terminal.out(text);
    return;
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (existsSync(file)) {
      throw new DesktopError('bad_arguments', `${file} is there already.`, {
        hint: 'Look whether it is right: deskproof policy check. A fresh one to compare: deskproof policy init --print',
      });
    }
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new DesktopError('command_failed', `${file} cannot be written (${code}).`, {
      hint: 'Print it and put it there yourself: deskproof policy init --print',
      cause: error,
    });
  }
  if (flags.json) return printJson(context, { schema: 1, file });
  terminal.out(`${file}: written; nothing is otherwise until you change it\n`);
  terminal.out(`${terminal.paint('grey', 'after a change:')} deskproof policy check\n`);
}
