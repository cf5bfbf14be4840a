import type { ErrorJson } from './errors.js';

/** Commands that go to the person's own screen where nobody says otherwise. */
const ABOUT_A_DESKTOP = [
  ...['resume', 'stop', 'enable', 'disable', 'approvals', 'grants', 'doctor', 'capabilities', 'snapshot'],
  ...['list-windows', 'export', 'policy reload', 'policy explain'],
  ...['verify', 'new', 'path', 'keys', 'rotate', 'show'].map((name) => `audit ${name}`),
];
const COMMAND = new RegExp(`\\bdeskproof (?:${ABOUT_A_DESKTOP.join('|')})(?![\\w-])(?! --desktop| LOG)`, 'g');
/** These name theirs without a flag; what follows is the end of a clause where they name none. */
const STOP = /\bdeskproof desktop stop(?=$|[,.;)])/g;
const START_AGAIN = /(\bthe desktop again: (?:.*, then )?deskproof desktop start)(?=$|[,.;)])/g;
const NAME = /^[a-z0-9][a-z0-9-]*$/;

/**
 * A hint of ours as somebody would type it for this desktop. On the person's own screen, `user`, it stays as it is;
 * elsewhere the same words would act on their screen instead. Only for texts of our own: hints, fixes, what commands say.
 */
export function commandsFor(desktop: string | undefined, text: string): string {
  if (desktop === undefined || desktop === 'user' || desktop === 'fake' || !NAME.test(desktop)) return text;
  return text
    .replace(COMMAND, `$& --desktop ${desktop}`)
    .replace(STOP, `deskproof desktop stop ${desktop}`)
    .replace(START_AGAIN, `$1 --name ${desktop}`);
}

/** An error as it leaves for whoever called: its hint names the desktop that it came from. */
export function errorFor(desktop: string | undefined, error: ErrorJson): ErrorJson {
  return error.hint === undefined ? error : { ...error, hint: commandsFor(desktop, error.hint) };
}
