import { expect, it } from 'vitest';
import { commandsFor, errorFor } from './commands-for.js';
import { DesktopError } from './errors.js';

it.each([
  ['Only they end it: deskwright resume, in a terminal.', 'deskwright resume --desktop work, in a terminal.'],
  ['tell the person to run: deskwright approvals', 'deskwright approvals --desktop work'],
  ['lets it count: deskwright policy reload', 'deskwright policy reload --desktop work'],
  ['a person enables it: deskwright enable.', 'deskwright enable --desktop work.'],
  ['in a new log: deskwright audit new --reason TEXT', 'deskwright audit new --desktop work --reason TEXT'],
  ['deskwright doctor tells more.', 'deskwright doctor --desktop work tells more.'],
  ['stop it first: deskwright desktop stop', 'deskwright desktop stop work'],
  [
    'Start the desktop again: deskwright desktop stop, then deskwright desktop start',
    'deskwright desktop stop work, then deskwright desktop start --name work',
  ],
])('%j names the desktop', (hint, named) => {
  expect(commandsFor('work', hint)).toContain(named);
  expect(commandsFor('work', commandsFor('work', hint))).toBe(commandsFor('work', hint));
  for (const own of ['user', 'fake', undefined, 'no name; rm']) expect(commandsFor(own, hint)).toBe(hint);
});

it.each([
  'Stop it and start it again: deskwright desktop stop work',
  'a private desktop can: deskwright desktop start',
  'See which there are: deskwright desktop list',
  'run deskwright-resume or deskwright resumes',
  'See what there is: deskwright export LOG --to html --out trace.html',
])('%j stays', (hint) => {
  expect(commandsFor('other', hint)).toBe(hint);
});

it('an error keeps everything else', () => {
  const error = new DesktopError('policy_denied', 'deskwright resume', { hint: 'deskwright resume', retry: 'no' });
  expect(errorFor('work', error.toJSON())).toEqual({ ...error.toJSON(), hint: 'deskwright resume --desktop work' });
  expect(errorFor('work', new DesktopError('timeout', 'x').toJSON()).hint).toBeUndefined();
});
