import { perform, type Tool } from '../../../src/runtime/index.js';
import { displayName, type Box } from '../../../src/tree/index.js';
import { DesktopError } from '../../../src/shared/index.js';
import { ACTS, failureText, TOOLS } from '../../../src/tools/index.js';
import { FixtureApp, type DiaryLine } from '../../conformance/fixture-app.js';
import { PageServer } from './page-server.js';
import { everyElement, snapshotUntil, soon, type RealDesktop } from './real-desktop.js';
import { until } from './seat-room.js';

export const TOOLKITS = ['gtk3', 'gtk4', 'qt', 'chromium'] as const;
export type Toolkit = (typeof TOOLKITS)[number];

const ALL: readonly Tool[] = [...TOOLS, ...ACTS.filter(({ name }) => !TOOLS.some((tool) => tool.name === name))];
const HOUSEKEEPING = ['done', 'ready', 'wild', 'held'];

/** What a call gave, whether it did it or refused. */
export interface Answer {
  /** The status of an act that was done, else the error's code. */
  word: string;
  text: string;
  delivered: string;
  json: Record<string, unknown>;
  error?: DesktopError;
}

/** One of the apps that do not keep still (tests/fixture-apps/liar-*), its diary, and the tools as a caller has them. */
export class LiarRoom {
  private constructor(
    readonly real: RealDesktop,
    readonly toolkit: Toolkit,
    private readonly app: { fixture: FixtureApp } | { page: PageServer; pid: number },
    /** Ref of its main window. */
    readonly window: string,
  ) {}

  static async open(real: RealDesktop, toolkit: Toolkit): Promise<LiarRoom> {
    const app = toolkit === 'chromium' ? await openPage(real) : { fixture: await openFixture(real, toolkit) };
    const pid = 'page' in app ? app.pid : app.fixture.pid;
    const title = await until('its window', async () => {
      const { windows } = await real.desktop.listWindows(soon());
      return windows.find((window) => window.pid === pid && window.title.startsWith('Liars') && window.active);
    });
    await snapshotUntil(
      real,
      'all of it',
      (snapshot) => [...everyElement(snapshot)].some(({ name }) => name === 'Delete item 3' || name === 'item 3'),
      {
        window: title.ref,
      },
    );
    return new LiarRoom(real, toolkit, app, title.ref);
  }

  get pid(): number {
    return 'page' in this.app ? this.app.pid : this.app.fixture.pid;
  }

  command(line: string): Promise<void> {
    if ('page' in this.app) return this.app.page.run(`command(${JSON.stringify(line)})`);
    return this.app.fixture.command(line);
  }

  /** After "Hang" it does nothing until this. */
  async letGo(): Promise<void> {
    if ('page' in this.app) return this.app.page.letGo();
    await this.app.fixture.command('go');
  }

  /** All that was done to it since `from`, once it has reported it. */
  async did(from = 0): Promise<DiaryLine[]> {
    return (await this.lines(from)).filter((line) => !HOUSEKEEPING.some((word) => word in line));
  }

  async lines(from = 0): Promise<DiaryLine[]> {
    if ('page' in this.app) return this.app.page.run<DiaryLine[]>(`window.diary.slice(${from})`);
    await this.app.fixture.command('tell');
    return this.app.fixture.diary.slice(from);
  }

  async mark(): Promise<number> {
    if ('page' in this.app) return this.app.page.run<number>('window.diary.length');
    await this.app.fixture.command('tell');
    return this.app.fixture.diary.length;
  }

  /** What a field holds, by the app's own word. */
  async holds(field: string): Promise<string> {
    await this.command('tell');
    const line = (await this.lines()).findLast(({ held }) => held !== undefined);
    return (line!.held as Record<string, string>)[field]!;
  }

  async call(tool: string, args: Record<string, unknown> = {}, caller = 'test'): Promise<Answer> {
    try {
      const { json, text } = await perform(this.real.desktop, ALL, { tool, args, caller });
      const { status = 'ok', delivered = 'no' } = json as { status?: string; delivered?: string };
      return { word: status, text, delivered, json };
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      return { word: error.code, text: failureText(error), delivered: error.delivered, json: {}, error };
    }
  }

  /** Its ref, as a snapshot shows it now. */
  async ref(role: RegExp, name: string | RegExp): Promise<string> {
    return until(`${String(role)} ${String(name)}`, async () => {
      const snapshot = await this.real.snapshot({ window: this.window });
      const fits = (text = ''): boolean => (typeof name === 'string' ? text === name : name.test(text));
      return [...everyElement(snapshot)].find((one) => role.test(one.role) && fits(displayName(one)))?.ref;
    });
  }

  async boundsOf(ref: string): Promise<Box> {
    const snapshot = await this.real.snapshot({ window: this.window });
    return [...everyElement(snapshot)].find((one) => one.ref === ref)!.bounds!;
  }

  button(name: string): Promise<string> {
    return this.ref(/^(toggle|menu)?button$/, name);
  }

  async end(): Promise<void> {
    if ('fixture' in this.app) return this.app.fixture.end();
    await this.app.page.stop();
    process.kill(this.app.pid, 'SIGKILL');
  }
}

/** Once, right after (or before) the driver was asked this, something happens. */
export function once(
  { driver }: RealDesktop,
  method: 'atPoint' | 'act' | 'read' | 'focused',
  when: 'before' | 'after',
  happen: () => Promise<unknown>,
): { happened(): boolean; end(): void } {
  const own = driver[method]!.bind(driver) as (...args: unknown[]) => Promise<unknown>;
  let pending = true;
  const trigger = async (): Promise<void> => {
    if (!pending) return;
    pending = false;
    await happen();
  };
  const put = (work: unknown): void => void Object.assign(driver, { [method]: work });
  put(async (...args: unknown[]) => {
    if (when === 'before') await trigger();
    const answer = await own(...args);
    if (when === 'after') await trigger();
    return answer;
  });
  return { happened: () => !pending, end: () => put(own) };
}

async function openFixture(real: RealDesktop, toolkit: Toolkit): Promise<FixtureApp> {
  return FixtureApp.start(`liar-${toolkit}.py`, real.seat.env);
}

async function openPage(real: RealDesktop): Promise<{ page: PageServer; pid: number }> {
  const page = await PageServer.start('liar-page.html');
  const { pid } = await real.seat.launch('chromium', [page.url]);
  return { page, pid };
}
