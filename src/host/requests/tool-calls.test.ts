import { afterEach, beforeEach, expect, it } from 'vitest';
import { pixelsOf } from '../../../tests/scenes/png-pixels.js';
import type { Driver, Finding, PrivateDesktop } from '../../drivers/contract/index.js';
import { fakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import type { OpenDesktop } from '../../compose.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, type LaunchAnswer } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { hostRequests, type DesktopDetails, type PictureAnswer } from './tool-calls.js';
import type { RequestContext, Requests } from '../server/server.js';

// Requests to a host other than tool calls: the policy of the caller's project applies to them as well.

const window = (key: string, title: string, x: number): WindowSpec => ({
  ...{ key, title, app: key, program: `/usr/bin/${key}`, pid: 40 + x },
  ...{ bounds: { x, y: 0, width: 200, height: 200 }, children: [{ role: 'button', name: `${key} button` }] },
});
const BOOKS = 'Ledger of 2026';

let desktop: Desktop;
let driver: Driver;
let requests: Requests;
let project: PolicyFile;
let found: Finding[];
let begun: (string | undefined)[];
let ended: () => void;

beforeEach(() => {
  project = { version: 1, windows: { block: ['*Ledger*'] } };
  [found, begun] = [[], []];
  ({ driver } = fakeDesktop({ windows: [window('notes', 'Notes', 0), window('books', BOOKS, 300)] }));
  driver.doctor = async () => found;
  desktop = new Desktop({
    ...{ name: 'desk', kind: 'virtual', driver, policy: compilePolicy({}, 'virtual') },
    inProject: (directory) =>
      directory === '/project'
        ? { rules: compilePolicy({ callerProject: project }, 'virtual'), changed: () => [] }
        : undefined,
  });
  const exited = new Promise<{ code: number; signal: null }>((resolve) => {
    ended = () => resolve({ code: 0, signal: null });
  });
  const seat = { launch: async () => ({ pid: 340, program: '/usr/bin/books', exited }) } as unknown as PrivateDesktop;
  const details = { name: 'desk', kind: 'virtual' } as DesktopDetails;
  const begin = async (directory: string | undefined) => void begun.push(directory);
  requests = hostRequests(
    { desktop, seat } as OpenDesktop,
    () => details,
    () => undefined,
    begin,
  );
});
afterEach(() => desktop.close());

function ask<T>(what: string, directory: string | undefined, params: object = {}): Promise<T> {
  const context = { signal: new AbortController().signal, ...(directory !== undefined && { directory }) };
  return requests[what]!(params, context as RequestContext) as Promise<T>;
}

const BLACK = '000000';
async function pixelOfBooks(directory: string | undefined): Promise<string> {
  return pixelsOf((await ask<PictureAnswer>('picture', directory)).png).at(400, 100);
}

it("a capture shows nothing that the caller's project hides", async () => {
  expect(await pixelOfBooks('/project')).toBe(BLACK);
  expect(begun).toEqual(['/project']);
  for (const elsewhere of ['/elsewhere', undefined]) expect(await pixelOfBooks(elsewhere)).not.toBe(BLACK);
});

it("a capture leaves out windows that the project's rules exclude, and is denied if they deny captures", async () => {
  const rule = {
    name: 'no-books',
    when: { class: ['capture' as const], window: '*Ledger*' },
    decision: 'deny' as const,
  };
  project = { version: 1, rules: [rule] };
  expect(await pixelOfBooks('/project')).toBe(BLACK);
  project = { version: 1, rules: [{ ...rule, name: 'no-pictures', when: { class: ['capture'] } }] };
  await expect(ask('picture', '/project')).rejects.toMatchObject({
    ...{ code: 'policy_denied', details: { rule: 'no-pictures' } },
  });
});

it("a launch reveals no windows that the caller's project hides, neither before nor after it", async () => {
  // The program hands over to one that is already running, whose title changes.
  ended();
  const launch = (directory: string): Promise<LaunchAnswer> =>
    ask('launch', directory, { command: 'books', args: [], timeoutMs: 100 });
  const error = await launch('/project').catch((one: unknown) => one);
  expect(error).toBeInstanceOf(DesktopError);
  expect(JSON.stringify(error)).not.toContain('Ledger');
  expect(JSON.stringify(await launch('/elsewhere').catch((one: unknown) => one))).toContain('Ledger');
});

it("findings of doctor about an app that the policy or the caller's project hides are left out", async () => {
  const about = { pid: 340, name: 'books', program: '/usr/bin/books' };
  found = [
    { level: 'ok', what: 'display :1' },
    { level: 'warn', what: 'books (pid 340) is stopped', fix: 'kill -CONT 340', app: about },
  ];
  const report = async (directory: string): Promise<string> => JSON.stringify(await ask('doctor', directory));
  expect(await report('/elsewhere')).toMatch(/display :1.*books \(pid 340\) is stopped/);
  expect(await report('/project')).toContain('display :1');
  expect(await report('/project')).not.toContain('books');
  // If windows cannot be listed, it is not known which are hidden. The other findings are needed all the more.
  driver.windows = () => Promise.reject(new DesktopError('timeout', 'The display does not answer.'));
  for (const directory of ['/project', '/elsewhere']) {
    expect(await report(directory)).toContain('display :1');
    expect(await report(directory)).not.toContain('books');
  }
});

it('an internal error while windows are listed is reported as one', async () => {
  driver.windows = () => Promise.reject(new TypeError('Ours.'));
  await expect(ask('doctor', '/project')).rejects.toThrow('Ours.');
});

it('doctor also works after a stop and reports it, with commands for this desktop', async () => {
  found = [{ level: 'warn', what: 'slow', fix: 'deskproof capabilities' }];
  await desktop.stop('the user stopped it');
  expect(await ask('doctor', undefined)).toEqual([
    expect.objectContaining({ level: 'off', what: 'stopped, because the user stopped it' }) as object,
    { level: 'warn', what: 'slow', fix: 'deskproof capabilities --desktop desk' },
    { level: 'ok', what: 'apps on private desktops cannot see the files of Deskproof' },
  ]);
});
