import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrivateDesktop, PrivateDesktopOptions, TreeDriver } from '../../src/drivers/contract/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { soon, until } from './case.js';
import { FixtureApp } from './fixture-app.js';
import { BYSTANDER, MAIN } from './scene.js';
import type { Stage } from './stage.js';

export interface LinuxRoom {
  openLinuxDriver: (options: { env: Readonly<Record<string, string>> }) => Promise<TreeDriver>;
  bootPrivateDesktop: (options: PrivateDesktopOptions) => Promise<PrivateDesktop>;
}

/** Starts a fixture app in an environment, with further words. */
export type StartFixture = (env: Readonly<Record<string, string>>, args: string[]) => Promise<FixtureApp>;

/** The standard scene in a real toolkit on a private desktop of its own. `fixture`: a Python script, or how to start. */
export async function openLinuxStage(
  { openLinuxDriver, bootPrivateDesktop }: LinuxRoom,
  fixture: string | StartFixture,
): Promise<Stage> {
  const start: StartFixture =
    typeof fixture === 'string' ? (env, args) => FixtureApp.start(fixture, env, args) : fixture;
  const directory = await mkdtemp(join(tmpdir(), 'dp-'));
  const seat = await bootPrivateDesktop({
    name: `conformance-${process.pid}`,
    size: { width: 1280, height: 900 },
    monitors: 1,
    visible: false,
    runtimeDir: join(directory, 'run'),
    homeDir: join(directory, 'home'),
  });
  const driver = await openLinuxDriver({ env: seat.env });
  const bystander = await start(seat.env, ['--bystander']);
  await listed(driver, BYSTANDER);
  let main = await start(seat.env, []);
  await listed(driver, MAIN);
  return {
    driver,
    command: (line) => main.command(line),
    diary: () => main.diary,
    hang: () => main.freeze(),
    resume: async () => main.signal('SIGCONT'),
    kill: () => main.end(),
    restart: async () => {
      await main.end();
      await unlisted(driver, main.pid);
      main = await start(seat.env, []);
      await listed(driver, MAIN);
    },
    close: async () => {
      await driver.close();
      await Promise.all([main.end(), bystander.end()]);
      await seat.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Listed, active and with a tree: an app registers windows with the display first, with accessibility later. */
async function listed(driver: TreeDriver, title: string): Promise<void> {
  await until(`${title} on the desktop`, async () => {
    const { windows } = await driver.windows({ deadline: soon() });
    const window = windows.find((one) => one.title === title && one.active);
    if (!window) return false;
    try {
      const { count } = await driver.read({ window: window.id }, { deadline: soon() });
      return count > 1;
    } catch (error) {
      // A Java app answers nothing for seconds while it starts on a busy machine.
      if (error instanceof DesktopError && (error.code === 'app_hung' || error.code === 'timeout')) return false;
      throw error;
    }
  });
}

async function unlisted(driver: TreeDriver, pid: number): Promise<void> {
  await until('the windows of an ended app gone', async () => {
    const { windows } = await driver.windows({ deadline: soon() });
    return !windows.some((window) => window.pid === pid);
  });
}
