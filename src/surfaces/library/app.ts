import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { AppEnd, AppItem, LaunchAnswer } from '../../host/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { checkOptions, type Kinds, listOf, MILLISECONDS, OBJECT, TEXT, timeoutIn } from './check-options.js';
import { hold, holding, type Link } from './link.js';
import { Place } from './locator/place.js';
import type { LaunchOptions, Timeout } from './options.js';
import type { App, DesktopWindow } from './surface.js';
import { PlacedWindow } from './window.js';

/** Apps take longer to show a window than an element to become ready. */
const WINDOW_MS = 15_000;

const LAUNCH: Kinds<LaunchOptions> = {
  args: listOf(TEXT),
  env: {
    fits: (given) => OBJECT.fits(given) && Object.values(given as object).every(TEXT.fits),
    words: 'texts by name',
  },
  cwd: TEXT,
  timeoutMs: MILLISECONDS,
};

/** Starts it and tells of it as long as it runs. */
export async function startApp(link: Link, command: string, options: LaunchOptions): Promise<App> {
  checkOptions('launch()', options, LAUNCH);
  const { args = [], env = {}, cwd = process.cwd(), timeoutMs = WINDOW_MS } = options;
  const [stdout, stderr] = [new Output(), new Output()];
  const over = new AbortController();
  const request = { command, args, env, cwd: resolve(cwd), caller: link.caller };
  let ended: Promise<AppEnd> | undefined;
  const pid = await new Promise<number>((started, failed) => {
    const onItem = (given: unknown): void => {
      const item = given as AppItem;
      if ('pid' in item) started(item.pid);
      else if ('out' in item) stdout.add(item.out);
      else stderr.add(item.err);
    };
    ended = link.request<AppEnd>('app', request, { onItem, signal: over.signal, background: true });
    ended.catch(failed);
  }).catch(async (error: unknown) => {
    throw await link.tell(error, { said: `launch(${JSON.stringify(command)})` });
  });
  const exited = ended!.then(
    ({ code }) => code,
    () => null, // The desktop ended, and the app with it.
  );
  void exited.then(() => [stdout, stderr].forEach((output) => output.finish()));
  return new StartedApp(link, { pid, stdout, stderr, exited, timeoutMs }, over);
}

interface Started {
  pid: number;
  stdout: Readable;
  stderr: Readable;
  exited: Promise<number | null>;
  timeoutMs: number;
}

class StartedApp implements App {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;

  constructor(
    private readonly link: Link,
    private readonly started: Started,
    private readonly over: AbortController,
  ) {
    ({ pid: this.pid, stdout: this.stdout, stderr: this.stderr } = started);
  }

  /** Only whoever waits for it keeps the process alive until then. */
  get exited(): Promise<number | null> {
    return holding(this.started.exited);
  }

  async firstWindow(options?: Timeout): Promise<DesktopWindow> {
    const timeoutMs = timeoutIn('firstWindow()', options) ?? this.started.timeoutMs;
    const { pid, link } = this;
    try {
      const { window } = await link.request<LaunchAnswer>('appWindow', { pid, caller: link.caller, timeoutMs });
      return new PlacedWindow(link, new Place({ kind: 'title', title: window.ref }));
    } catch (error) {
      throw await link.tell(error, { said: 'firstWindow()' });
    }
  }

  async windows(): Promise<WindowInfo[]> {
    const request = { pid: this.pid, caller: this.link.caller, timeoutMs: 0 };
    return (await this.link.request<{ windows: WindowInfo[] }>('appWindows', request)).windows;
  }

  async close(): Promise<void> {
    this.over.abort();
    await this.exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Of what nobody reads. */
const MOST_KEPT = 16 * 1024 * 1024;

/**
 * What an app writes. Beyond what can be kept for a reader who does not come, it is lost. Whoever reads keeps the process
 * alive for as long as more may come; the connection that it comes by does not.
 */
export class Output extends Readable {
  private isOver = false;
  private release: (() => void) | undefined;

  constructor(private readonly begin: () => () => void = hold) {
    super();
    // A reader either lets it flow or listens for when there is something to read, as loops do.
    for (const event of ['resume', 'pause', 'close']) this.on(event, () => this.anchor());
    for (const event of ['newListener', 'removeListener']) {
      // Listeners are told of before they are there.
      this.on(event, (name) => void (name === 'readable' && queueMicrotask(() => this.anchor())));
    }
  }

  add(base64: string): void {
    if (!this.destroyed && this.readableLength < MOST_KEPT) this.push(Buffer.from(base64, 'base64'));
  }

  /** Nothing comes any more. */
  finish(): void {
    this.isOver = true;
    if (!this.destroyed) this.push(null);
    this.anchor();
  }

  override _read(): void {
    // It is pushed as it comes.
  }

  private anchor(): void {
    const isRead = this.readableFlowing === true || this.listenerCount('readable') > 0;
    if (isRead && !this.isOver && !this.destroyed) this.release ??= this.begin();
    else {
      this.release?.();
      this.release = undefined;
    }
  }
}
