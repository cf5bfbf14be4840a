import { expect, it } from 'vitest';
import { localiseHint, localiseError } from './messages.js';
import { DesktopError } from './errors.js';

it.each([
  ['Only the user can continue: deskproof resume, in a terminal.', 'deskproof resume --desktop work, in a terminal.'],
  ['tell the person to run: deskproof approvals', 'deskproof approvals --desktop work'],
  ['and then to run: deskproof policy reload', 'deskproof policy reload --desktop work'],
  ['a person enables it: deskproof enable.', 'deskproof enable --desktop work.'],
  ['in a new log: deskproof audit new --reason TEXT', 'deskproof audit new --desktop work --reason TEXT'],
  ['deskproof doctor tells more.', 'deskproof doctor --desktop work tells more.'],
  ['stop it first: deskproof desktop stop', 'deskproof desktop stop work'],
  [
    'Start the desktop again: deskproof desktop stop, then deskproof desktop start',
    'deskproof desktop stop work, then deskproof desktop start --name work',
  ],
])('%j gets the name of the desktop', (hint, named) => {
  expect(localiseHint('work', hint)).toContain(named);
  expect(localiseHint('work', localiseHint('work', hint))).toBe(localiseHint('work', hint));
  for (const own of ['user', 'fake', undefined, 'no name; rm']) expect(localiseHint(own, hint)).toBe(hint);
});

it.each([
  'Stop it and start it again: deskproof desktop stop work',
  'a private desktop can: deskproof desktop start',
  'See which there are: deskproof desktop list',
  'run deskproof-resume or deskproof resumes',
  'See what there is: deskproof export LOG --to html --out trace.html',
])('%j stays', (hint) => {
  expect(localiseHint('other', hint)).toBe(hint);
});

it('keeps everything else of an error', () => {
  const error = new DesktopError('policy_denied', 'deskproof resume', { hint: 'deskproof resume', retry: 'no' });
  expect(localiseError('work', error.toJSON())).toEqual({ ...error.toJSON(), hint: 'deskproof resume --desktop work' });
  expect(localiseError('work', new DesktopError('timeout', 'x').toJSON()).hint).toBeUndefined();
});
