import { accessSync, constants, statSync } from 'node:fs';
import { ledgerPlaces, verificationLines, verifyDesktop, verifyLog, type VerifyOptions } from '../../../audit/index.js';
import { DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { safeForTerminal } from '../terminal.js';
import { existingLog } from './resolve-log.js';

export interface VerifyFlags extends Flags {
  key?: string;
  anchor?: string;
}

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;

/** Verifies that a log was not changed. Exit code 1: it was changed, or this cannot be determined. */
export async function verify(context: Context, given: string | undefined, flags: VerifyFlags): Promise<void> {
  const { terminal } = context;
  const known = checkedOptions(flags);
  const places = given === undefined ? await existingLog(context, flags) : undefined;
  // The log is read in one go, which may take long.
  context.endAtSignals();
  const found = places ? verifyDesktop(places, known) : verifyLog({ ...known, log: given!, state: state() });
  if (!found.ok) context.exitCode = 1;
  if (flags.json) return printJson(context, { schema: 1, ...found });
  const lines = verificationLines(found).map(safeForTerminal);
  const verdict = lines.pop() ?? '';
  for (const line of lines) terminal.out(`${terminal.paint('grey', line)}\n`);
  terminal.out(`${terminal.paint(found.ok ? 'green' : 'red', verdict)}\n`);

  /** Heads and keys are stored by ledger id, so the desktop's name does not matter. */
  function state(): string {
    return ledgerPlaces('any', context.env).state;
  }
}

/** Checks the arguments before anything is verified: a typing error must not look like tampering. */
function checkedOptions({ key, anchor }: VerifyFlags): Pick<VerifyOptions, 'key' | 'anchor'> {
  if (key !== undefined && !FINGERPRINT.test(key)) {
    throw new DesktopError('bad_arguments', 'This is not a key fingerprint.', {
      hint: 'A fingerprint is SHA256: followed by 43 characters, as printed by deskproof audit keys.',
    });
  }
  if (anchor !== undefined) {
    try {
      accessSync(anchor, constants.R_OK);
      if (!statSync(anchor).isFile()) throw new Error('not a regular file');
    } catch (error) {
      throw new DesktopError('bad_arguments', `${JSON.stringify(anchor.slice(0, 200))} cannot be read.`, {
        hint: 'Give a file with the signed statements that the external anchor received, one after the other.',
        cause: error,
      });
    }
  }
  return { ...(key !== undefined && { key }), ...(anchor !== undefined && { anchor }) };
}
