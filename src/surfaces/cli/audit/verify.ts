import { accessSync, constants } from 'node:fs';
import {
  ledgerPlaces,
  verificationLines,
  verifyDesktop,
  verifyLog,
  type Verification,
  type VerifyOptions,
} from '../../../audit/index.js';
import { DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { safeForTerminal } from '../terminal.js';
import { whoseWrittenLog } from './resolve-log.js';

export interface VerifyFlags extends Flags {
  key?: string;
  anchor?: string;
}

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;

/** Whether a log is what was written. Exit code 1: it is not, or one cannot know. */
export async function verify(context: Context, given: string | undefined, flags: VerifyFlags): Promise<void> {
  const { terminal } = context;
  const known = checked(flags);
  const found = given === undefined ? await ofDesktop() : verifyLog({ ...known, log: given, state: state() });
  if (!found.ok) context.exitCode = 1;
  if (flags.json) return printJson(context, { schema: 1, ...found });
  const lines = verificationLines(found).map(safeForTerminal);
  const verdict = lines.pop() ?? '';
  for (const line of lines) terminal.out(`${terminal.paint('grey', line)}\n`);
  terminal.out(`${terminal.paint(found.ok ? 'green' : 'red', verdict)}\n`);

  async function ofDesktop(): Promise<Verification> {
    return verifyDesktop(await whoseWrittenLog(context, flags), known);
  }

  /** Heads and keys lie by the ledger's own number, whatever the desktop was called. */
  function state(): string {
    return ledgerPlaces('any', context.env).state;
  }
}

/** Asked for in vain is told before anything is judged: a typing error is no tampering. */
function checked({ key, anchor }: VerifyFlags): Pick<VerifyOptions, 'key' | 'anchor'> {
  if (key !== undefined && !FINGERPRINT.test(key)) {
    throw new DesktopError('bad_arguments', 'That is no fingerprint of a key.', {
      hint: 'It begins with SHA256: and 43 characters follow, as deskproof audit keys prints it.',
    });
  }
  if (anchor !== undefined) {
    try {
      accessSync(anchor, constants.R_OK);
    } catch (error) {
      throw new DesktopError('bad_arguments', `${JSON.stringify(anchor.slice(0, 200))} cannot be read.`, {
        hint: 'Give a file with what the outside anchor got, one signed statement after the other.',
        cause: error,
      });
    }
  }
  return { ...(key !== undefined && { key }), ...(anchor !== undefined && { anchor }) };
}
