import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { perform, type Performed, type Tool } from '../../../src/runtime/index.js';
import { DesktopError } from '../../../src/shared/index.js';
import { ACTS, ActSchema, failureText, TOOLS } from '../../../src/tools/index.js';
import type { WindowNode } from '../../../src/tree/index.js';
import { openRealDesktop, type RealDesktop } from '../../e2e/support/real-desktop.js';
import { soon, unlessHurried, until } from '../case.js';
import { FixtureApp, type DiaryLine } from '../fixture-app.js';
import { startActedOn, type ActedOn, type Toolkit } from './acted-on.js';

const run = promisify(execFile);

const EVERY: readonly Tool[] = [...TOOLS, ...ACTS.filter(({ name }) => !TOOLS.some((tool) => tool.name === name))];
/** For an app that starts or ends; also before a case that is not waited for. */
const CHANGE_OF_SCENE_MS = 20_000;
const SCREEN = { width: 1500, height: 1000 };
/** Where nothing is: the bystander stands right of it, the app left of it. */
const ASIDE = { x: 1000, y: 990 };

export interface Answer {
  /** For a failed call: its code and its details. */
  code?: string;
  delivered?: string;
  json: Record<string, unknown>;
  /** As a model reads it. */
  text: string;
}

/** The app that is acted on, another one that is not, and every tool of a caller. */
export class ToolStage {
  private from = 0;
  private untouched = false;

  private constructor(
    readonly toolkit: Toolkit,
    readonly real: RealDesktop,
    private readonly bystander: FixtureApp,
    public app: ActedOn,
  ) {}

  static async open(toolkit: Toolkit): Promise<ToolStage> {
    const real = await openRealDesktop(SCREEN);
    const bystander = await FixtureApp.start('gtk3.py', real.seat.env, ['--bystander']);
    const stage = new ToolStage(toolkit, real, bystander, await startActedOn(toolkit, real.seat));
    await stage.arrange();
    return stage;
  }

  async call(tool: string, given: Record<string, unknown>): Promise<Answer> {
    const args = { ...given };
    for (const name of ['timeoutMs', 'settleMs']) {
      if (typeof args[name] === 'number') args[name] = unlessHurried(args[name]);
    }
    try {
      const done: Performed = await perform(this.real.desktop, EVERY, { tool, args, caller: 'test' });
      // One form for all surfaces, whatever the toolkit.
      if ('delivered' in done.json) ActSchema.parse(done.json);
      return done;
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      const { code, delivered, details } = error;
      return { code, delivered, json: details ?? {}, text: failureText(error) };
    }
  }

  /** Everything as at the start, and a new page in the diary. */
  async fresh(): Promise<void> {
    // What a failed case left open would be in the way of the next.
    const extra = (await this.windows()).some(({ title, visible }) => visible && !/^(Acted on|Plain)/.test(title));
    if (extra) await this.restart();
    await this.turnTo(await this.main());
    if (!extra && !this.untouched) await this.app.reset();
    this.untouched = false;
    await this.turnPage();
  }

  /** The case that ends was refused, and the app wrote nothing down: the next one needs no reset. */
  leaveUntouched(): void {
    this.untouched = true;
  }

  async turnPage(): Promise<void> {
    this.from = (await this.app.diary()).length;
  }

  /** What was written on this page. */
  async diary(): Promise<DiaryLine[]> {
    return (await this.app.diary()).slice(this.from);
  }

  /** The ref of the element that a selector finds, as in a snapshot. */
  async refOf(target: string): Promise<string> {
    const { json } = await this.call('ui_query', { target, timeoutMs: 15_000 });
    const [match] = json.matches as { ref: string }[];
    return match!.ref;
  }

  /** With the keyboard, as a user does it. */
  async closeMenu(): Promise<void> {
    await this.xdotool('key', 'Escape');
    await until('the menu to go', async () => !(await this.windows()).some(({ menu, visible }) => menu && visible));
  }

  async windows(): Promise<WindowNode[]> {
    return (await this.real.driver.windows({ deadline: soon() })).windows;
  }

  /** The window that is acted on. */
  main(): Promise<WindowNode> {
    const isMain = ({ title, role, visible, bounds }: WindowNode): boolean =>
      /^Acted on/.test(title) && role === 'window' && visible && bounds !== undefined;
    return until('the window that is acted on', async () => (await this.windows()).find(isMain), CHANGE_OF_SCENE_MS);
  }

  /** Another window has the keys, and the pointer is over none. */
  async focusElsewhere(): Promise<void> {
    await this.turnTo(await this.bystanderWindow());
  }

  /** Which window has the keys and where the pointer is, by another program's word. */
  async attention(): Promise<string> {
    return this.xdotool('getactivewindow', 'getmouselocation');
  }

  private async turnTo(window: WindowNode): Promise<void> {
    await this.xdotool('mousemove', String(ASIDE.x), String(ASIDE.y), 'windowactivate', '--sync', xidOf(window));
  }

  async xdotool(...args: string[]): Promise<string> {
    return (await run('xdotool', args, { env: { ...this.real.seat.env } })).stdout;
  }

  async restart(): Promise<void> {
    this.untouched = false;
    await this.app.end();
    const isOther = ({ pid, title }: WindowNode): boolean => pid === this.bystander.pid || !/^Acted on/.test(title);
    const gone = async (): Promise<boolean> => (await this.windows()).every(isOther);
    await until('the windows of an ended app gone', gone, CHANGE_OF_SCENE_MS);
    this.app = await startActedOn(this.toolkit, this.real.seat);
    await this.arrange();
  }

  async close(): Promise<void> {
    await this.app.end();
    await this.bystander.end();
    await this.real.stop();
  }

  /** Side by side, so that neither covers the other. */
  private async arrange(): Promise<void> {
    const [main, other] = [await this.main(), await this.bystanderWindow()];
    await this.xdotool('windowmove', '--sync', xidOf(other), '1010', '30');
    await this.xdotool('windowmove', xidOf(main), '0', '30');
    const apart = async (): Promise<boolean> => {
      const [left, right] = [(await this.main()).bounds!, (await this.bystanderWindow()).bounds!];
      return left.x < 50 && right.x > 1000 && left.x + left.width <= right.x;
    };
    await until('both windows side by side', apart, CHANGE_OF_SCENE_MS);
    const isReady = async (): Promise<boolean> => {
      const { count } = await this.real.driver.read!({ window: main.id }, { deadline: soon() });
      return count > 20;
    };
    await until('the elements of the app', isReady, CHANGE_OF_SCENE_MS);
  }

  private bystanderWindow(): Promise<WindowNode> {
    const find = async (): Promise<WindowNode | undefined> =>
      (await this.windows()).find(({ pid, bounds }) => pid === this.bystander.pid && bounds);
    return until('the other window', find, CHANGE_OF_SCENE_MS);
  }
}

export const xidOf = ({ id }: WindowNode): string => String(Number(id.slice(2)));
