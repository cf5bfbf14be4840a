import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PrivateDesktop } from '../../../src/drivers/contract/index.js';
import { PageServer } from '../../e2e/support/page-server.js';
import { FixtureApp, type DiaryLine } from '../fixture-app.js';

export const TOOLKITS = { gtk3: 'GTK 3', gtk4: 'GTK 4', qt: 'Qt', chromium: 'Chromium' } as const;
export type Toolkit = keyof typeof TOOLKITS;

/** The app that the tools are used on; tests/fixture-apps/act_scene.py says what it shows and writes down. */
export interface ActedOn {
  readonly pid: number;
  /** The diary so far, after the app has processed all earlier commands. */
  diary(): Promise<DiaryLine[]>;
  /** `caret Name 0 3`, `disable Save`: as in the fixture apps. */
  command(line: string): Promise<void>;
  /** Everything as at the start, in the same window. */
  reset(): Promise<void>;
  /** After its window was closed: whether it noticed. */
  closed(): Promise<boolean>;
  end(): Promise<void>;
}

export function startActedOn(toolkit: Toolkit, seat: PrivateDesktop): Promise<ActedOn> {
  return toolkit === 'chromium' ? openPage(seat) : startApp(toolkit, seat);
}

async function startApp(toolkit: Toolkit, seat: PrivateDesktop): Promise<ActedOn> {
  const app = await FixtureApp.start(`act-${toolkit}.py`, seat.env);
  return {
    pid: app.pid,
    command: (line) => app.command(line),
    diary: async () => {
      await app.command('sleep 0');
      return app.diary.filter((line) => !('done' in line || 'ready' in line));
    },
    reset: () => app.command('reset'),
    closed: async () => Boolean(await app.wait('that it was closed', (line) => line.closed === true, 0)),
    end: () => app.end(),
  };
}

/** What the commands of the fixture apps are in the page. */
const IN_PAGE: Record<string, (...words: string[]) => string> = {
  caret: (name, start, end) => `named(${JSON.stringify(name)}).setSelectionRange(${start}, ${end})`,
  focus: (name) => `named(${JSON.stringify(name)}).focus()`,
  disable: (name) => `named(${JSON.stringify(name)}).disabled = true`,
  enable: (name) => `named(${JSON.stringify(name)}).disabled = false`,
};

async function openPage(seat: PrivateDesktop): Promise<ActedOn> {
  const page = await PageServer.start('act-page.html');
  // The browser would offer to keep what is typed into a password field, in a bubble over the page.
  const profile = join(seat.env.HOME!, '.config', 'chromium', 'Default');
  await mkdir(profile, { recursive: true });
  await writeFile(join(profile, 'Preferences'), JSON.stringify({ credentials_enable_service: false }));
  const { pid, exited } = await seat.launch('chromium', ['--window-size=900,900', '--window-position=0,0', page.url]);
  await page.run('document.readyState');
  return {
    pid,
    diary: () => page.run<DiaryLine[]>('new Promise((resolve) => requestAnimationFrame(() => resolve(diary)))'),
    command: async (line) => {
      const [word = '', ...rest] = line.split(' ');
      const code = IN_PAGE[word];
      if (!code) throw new Error(`the page knows no ${word}`);
      await page.run(code(...rest));
    },
    reset: () => page.run('reset()'),
    closed: async () => (await exited).code === 0,
    end: async () => {
      await page.stop();
      // It was started in a session of its own: the whole of it ends.
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended already, as after its window was closed.
      }
      await exited;
    },
  };
}
