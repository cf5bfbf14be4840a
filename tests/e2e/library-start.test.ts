import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect as so, test } from 'vitest';
import type { Desktop, LaunchOptions } from '../../src/index.js';
import { OPEN_POLICY, openDesktop, removeFailures } from './support/library.js';

// Programs of one name: those that the policy allows, and others that write down that they ran.

let room: string;
let desktop: Desktop;
const at = (...parts: string[]): string => join(room, ...parts);
const ran = (): boolean => existsSync(at('ran'));

beforeAll(async () => {
  room = realpathSync(mkdtempSync(join(tmpdir(), 'dp-library-start-')));
  for (const folder of ['good', 'evil']) mkdirSync(at(folder));
  writeFileSync(at('good', 'tool'), '#!/bin/sh\nexit 7\n', { mode: 0o755 });
  for (const name of ['tool', 'true']) {
    writeFileSync(at('evil', name), `#!/bin/sh\ntouch ${at('ran')}\n`, { mode: 0o755 });
  }
  const rules = [
    {
      name: 'the-good',
      when: { tool: 'ui_launch', app: [at('good', 'tool'), realpathSync('/usr/bin/true')] },
      decision: 'ask' as const,
    },
    { name: 'nothing-else', when: { tool: 'ui_launch' }, decision: 'deny' as const },
  ];
  desktop = await openDesktop({ policy: { ...OPEN_POLICY, rules }, timeoutMs: 20_000 });
});
afterAll(async () => {
  await desktop?.close();
  if (desktop) removeFailures(desktop);
  rmSync(room, { recursive: true, force: true });
});

const path = (...folders: string[]): { PATH: string } => ({
  PATH: [...folders.map((folder) => at(folder)), '/usr/bin', '/bin'].join(':'),
});

test.each<[string, string, () => LaunchOptions]>([
  ['by its path', 'evil/tool', () => ({ cwd: room })],
  ['by a PATH of its own', 'tool', () => ({ env: path('evil', 'good') })],
  ['by a PATH of its own, with a name that is allowed', 'true', () => ({ env: path('evil') })],
  ['from a directory of its own', './tool', () => ({ cwd: at('evil') })],
])('another program is refused, and does not run: %s', async (_, command, options) => {
  await so(desktop.launch(command, options())).rejects.toMatchObject({ details: { rule: 'nothing-else' } });
  so(ran()).toBe(false);
});

test.each<[string, string, () => LaunchOptions]>([
  ['by a PATH of its own', 'tool', () => ({ env: path('good', 'evil') })],
  ['from a directory of its own', './tool', () => ({ cwd: at('good') })],
])('the authorized program is the one that is started and logged: %s', async (_, command, options) => {
  so(await (await desktop.launch(command, options())).exited).toBe(7);
  const log = readFileSync(join(await desktop.audit.path(), '000001.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const intents = log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ kind }) => kind === 'intent');
  so(intents.at(-1)).toMatchObject({ tool: 'ui_launch', app: { program: at('good', 'tool') } });
  so(ran()).toBe(false);
});
