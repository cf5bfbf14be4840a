import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyPlaces } from '../../../policy/index.js';
import { DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import type { Context } from '../context.js';
import type { InitFlags } from './command.js';

/** Editors use it to complete and validate the file. */
const SCHEMA = fileURLToPath(new URL('../../../../docs/policy.schema.json', import.meta.url));

/** Writes a starter policy to the default path. An existing file is never replaced: its rules may protect the user. */
export function initPolicy(context: Context, flags: InitFlags): void {
  const { terminal } = context;
  const text = starterPolicy(SCHEMA);
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
      throw new DesktopError('bad_arguments', `${file} already exists.`, {
        hint: 'Check it with: deskproof policy check. Print a starter policy to compare with: deskproof policy init --print',
      });
    }
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new DesktopError('command_failed', `${file} could not be written (${code}).`, {
      hint: 'Print the policy and save it yourself: deskproof policy init --print',
      cause: error,
    });
  }
  if (flags.json) return printJson(context, { schema: 1, file });
  terminal.out(`${file}: written. It has no effect until you edit it.\n`);
  terminal.out(`${terminal.paint('grey', 'after an edit:')} deskproof policy check\n`);
}

/**
 * A starter policy. It has no effect by itself: every setting is commented out as an example; remove the `#` to use it.
 */
export function starterPolicy(schemaFile: string): string {
  return `# yaml-language-server: $schema=${schemaFile}
# What agents may do on your desktops through Deskproof.
# Check this file after an edit: deskproof policy check
# Put it into force on running desktops: deskproof policy reload
version: 1

# Your own desktop (seat) is guarded: agents can read, acts need your approval except for those of low risk,
# and screenshots are refused. Private desktops (virtual) are free. With readonly, agents cannot act at all.
#profile: { seat: guarded, virtual: private }

# Without this, each session on your own desktop needs your approval before it can start.
#enabled: true

# Windows to hide from agents, in addition to password managers and banking.
#windows:
#  block: ["*My Bank*", "*Payroll*"]

# For each desktop.
#limits: { actsPerMinute: 120, capturesPerMinute: 60, launchesPerMinute: 10 }

# Programs whose start on your own desktop is not raised to high risk.
# You are still asked for approval.
#launch:
#  allow: ["/usr/bin/mousepad"]

# The first matching rule wins. An allow rule without risk covers only low and medium risk. An allow rule without app
# relies on names that an app claims. To test a rule: deskproof policy explain click --app /usr/bin/mousepad
#rules:
#  - name: never-send
#    when: { app: "*/thunderbird", name: ["Send*"], class: act }
#    decision: deny
#    reason: only you send mail
#  - name: calculator-free
#    when: { app: "/usr/bin/gnome-calculator", class: act }
#    decision: allow
`;
}
