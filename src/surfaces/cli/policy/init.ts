import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyPlaces } from '../../../policy/index.js';
import { DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import type { Context } from '../context.js';
import type { InitFlags } from './command.js';

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

/** A first policy: it changes nothing by itself. `#key` is an example that becomes true when the mark is taken away. */
export function startText(schemaFile: string): string {
  return `# yaml-language-server: $schema=${schemaFile}
# What agents may do on your desktops through Deskproof.
# Look whether it is right: deskproof policy check
# Desktops that run already go by it after: deskproof policy reload
version: 1

# Your own screen is guarded: agents look, you are asked before they act, and no pictures are taken.
# Private desktops are free. readonly: nothing is ever done there.
#profile: { seat: guarded, virtual: private }

# Without this, each session on your own screen begins with a question to you.
#enabled: true

# Windows that agents do not see, besides password managers and banking.
#windows:
#  block: ["*My Bank*", "*Payroll*"]

# For each desktop.
#limits: { actsPerMinute: 120, capturesPerMinute: 60, launchesPerMinute: 10 }

# Programs that may be started on your own screen after a plain question.
#launch:
#  allow: ["/usr/bin/mousepad"]

# The first rule that fits wins. An allow that does not name risk covers low and medium risk only, and one without
# app goes by what an app says of itself. What would be decided: deskproof policy explain click --app /usr/bin/mousepad
#rules:
#  - name: never-send
#    when: { app: "*/thunderbird", name: ["Send*"], class: act }
#    decision: deny
#    reason: mail is sent by people
#  - name: calculator-free
#    when: { app: "/usr/bin/gnome-calculator", class: act }
#    decision: allow
`;
}
