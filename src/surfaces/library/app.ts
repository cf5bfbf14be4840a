import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { AppEnd, AppItem, LaunchAnswer } from '../../host/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { checkOptions, type OptionTypes, listOf, MILLISECONDS, OBJECT, STRING, readTimeout } from './check-options.js';
import { keepProcessAlive, keepAliveWhile, type Link } from './link.js';
import { SearchScope } from './locator/search-scope.js';
import type { LaunchOptions, Timeout } from './options.js';
import type { App, DesktopWindow } from './surface.js';
import { ScopedWindow } from './window.js';

/** An app takes longer to show its first window than an element takes to become actionable. */
const FIRST_WINDOW_TIMEOUT_MS = 15_000;

const LAUNCH_OPTIONS: OptionTypes<LaunchOptions> = {
  args: listOf(STRING),
  env: {
    accepts: (given) => OBJECT.accepts(given) && Object.values(given as object).every(STRING.accepts),
    description: 'an object with strings as values',
  },
  cwd: STRING,
  timeoutMs: MILLISECONDS,
};

/** Starts a program and receives its output until it exits. */
export async function launchApp(link: Link, command: string, options: LaunchOptions): Promise<App> {
  checkOptions('launch()', options, LAUNCH_OPTIONS);
  const { args = [], env = {}, cwd = process.cwd(), timeoutMs = FIRST_WINDOW_TIMEOUT_MS } = options;
  const [stdout, stderr] = [new AppOutput(), new AppOutput()];
  const closing = new AbortController();
  const request = { command, args, env, cwd: resolve(cwd), caller: link.caller };
  let ended: Promise<AppEnd> | undefined;
  const pid = await new Promise<number>((started, failed) => {
    const onItem = (given: unknown): void => {
      const item = given as AppItem;
      if ('pid' in item) started(item.pid);
      else if ('out' in item) stdout.add(item.out);
      else stderr.add(item.err);
    };
    ended = link.request<AppEnd>('app', request, { onItem, signal: closing.signal, background: true });
    ended.catch(failed);
  }).catch(async (error: unknown) => {
    throw await link.explain(error, { expression: `launch(${JSON.stringify(command)})` });
  });
  const exited = ended!.then(
    ({ code }) => code,
    () => null, // The desktop ended and took the app with it.
  );
  void exited.then(() => [stdout, stderr].forEach((output) => output.finish()));
  return new LaunchedApp(link, { pid, stdout, stderr, exited, timeoutMs }, closing);
}

interface StartedProcess {
  pid: number;
  stdout: Readable;
  stderr: Readable;
  exited: Promise<number | null>;
  timeoutMs: number;
}

class LaunchedApp implements App {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;

  constructor(
    private readonly link: Link,
    private readonly started: StartedProcess,
    private readonly ending: AbortController,
  ) {
    ({ pid: this.pid, stdout: this.stdout, stderr: this.stderr } = started);
  }

  /** Keeps the process alive only while a caller awaits it. */
  get exited(): Promise<number | null> {
    return keepAliveWhile(this.started.exited);
  }

  async firstWindow(options?: Timeout): Promise<DesktopWindow> {
    const timeoutMs = readTimeout('firstWindow()', options) ?? this.started.timeoutMs;
    const { pid, link } = this;
    try {
      const { window } = await link.request<LaunchAnswer>('appWindow', { pid, caller: link.caller, timeoutMs });
      return new ScopedWindow(link, new SearchScope({ kind: 'title', title: window.ref }));
    } catch (error) {
      throw await link.explain(error, { expression: 'firstWindow()' });
    }
  }

  async windows(): Promise<WindowInfo[]> {
    const request = { pid: this.pid, caller: this.link.caller, timeoutMs: 0 };
    return (await this.link.request<{ windows: WindowInfo[] }>('appWindows', request)).windows;
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Limit of unread output in bytes. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * The output of an app. When the unread output reaches the limit, further output is dropped. A reader keeps this
 * process alive until the output ends; the connection that delivers it does not.
 */
export class AppOutput extends Readable {
  private isFinished = false;
  private release: (() => void) | undefined;

  constructor(private readonly keepAlive: () => () => void = keepProcessAlive) {
    super();
    // A reader either lets the stream flow or, as `for await` does, listens for `readable`.
    for (const event of ['resume', 'pause', 'close']) this.on(event, () => this.updateKeepAlive());
    for (const event of ['newListener', 'removeListener']) {
      // Node emits these events before it adds the listener, so the check runs afterwards.
      this.on(event, (name) => void (name === 'readable' && queueMicrotask(() => this.updateKeepAlive())));
    }
  }

  add(base64: string): void {
    if (!this.destroyed && this.readableLength < MAX_UNREAD_BYTES) this.push(Buffer.from(base64, 'base64'));
  }

  /** No more output will come. */
  finish(): void {
    this.isFinished = true;
    if (!this.destroyed) this.push(null);
    this.updateKeepAlive();
  }

  override _read(): void {
    // Data is pushed when it arrives.
  }

  private updateKeepAlive(): void {
    const isRead = this.readableFlowing === true || this.listenerCount('readable') > 0;
    if (isRead && !this.isFinished && !this.destroyed) this.release ??= this.keepAlive();
    else {
      this.release?.();
      this.release = undefined;
    }
  }
}
