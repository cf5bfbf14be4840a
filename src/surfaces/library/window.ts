import type { ToolResult } from '../../tools/index.js';
import type { Point, Size, WindowInfo } from '../../tree/index.js';
import { toFrame, takeSnapshot } from './snapshot.js';
import type { Link } from './link.js';
import { ElementLocator } from './locator/locator.js';
import type { ActOptions, CaptureOptions, SnapshotOptions } from './options.js';
import { retryUntilFound } from './locator/retry.js';
import type { SearchScope } from './locator/search-scope.js';
import { LocatorFactory } from './locator/locator-factory.js';
import type { SelectorBuilder } from './locator/selector-builder.js';
import type { ActResult, DesktopWindow, Frame, Locator, Snapshot } from './surface.js';

/** One window, resolved again for each call. */
export class ScopedWindow extends LocatorFactory implements DesktopWindow {
  constructor(
    readonly link: Link,
    readonly scope: SearchScope,
  ) {
    super();
  }

  info(): Promise<WindowInfo> {
    return this.waitUntilFound(`${this.scope.expression}.info()`);
  }

  /** Waits until the window exists. */
  waitUntilFound(expression: string, timeoutMs?: number): Promise<WindowInfo> {
    return retryUntilFound(this.link, { scope: this.scope, expression, timeoutMs }, () => this.scope.find(this.link));
  }

  focus(): Promise<ActResult> {
    return this.change('focus');
  }

  close({ method: _method, ...options }: ActOptions = {}): Promise<ActResult> {
    return this.change('close', options);
  }

  minimize(): Promise<ActResult> {
    return this.change('minimize');
  }

  maximize(): Promise<ActResult> {
    return this.change('maximize');
  }

  restore(): Promise<ActResult> {
    return this.change('restore');
  }

  move({ x, y }: Point): Promise<ActResult> {
    return this.change('move', { x, y });
  }

  resize({ width, height }: Size): Promise<ActResult> {
    return this.change('resize', { width, height });
  }

  snapshot(options: SnapshotOptions = {}): Promise<Snapshot> {
    return this.withWindow('snapshot()', (window) => takeSnapshot(this.link, { ...options, window }));
  }

  capture({ maxSize = 0, ...options }: CaptureOptions = {}): Promise<Frame> {
    return this.withWindow('capture()', async (window) => {
      const { json } = await this.link.call('ui_capture', { ...options, window, maxSize });
      return toFrame(json as unknown as ToolResult['ui_capture']);
    });
  }

  override toString(): string {
    return this.scope.expression;
  }

  protected createLocator(selector: SelectorBuilder): Locator {
    return new ElementLocator(this.link, this.scope, selector);
  }

  private change(action: string, args: ActOptions & Partial<Point & Size> = {}): Promise<ActResult> {
    const { timeoutMs, ...rest } = args;
    return this.withWindow(
      `${action}()`,
      async (window, leftMs) => {
        const { json } = await this.link.call('ui_window', { ...rest, action, window, timeoutMs: leftMs });
        return json as unknown as ActResult;
      },
      timeoutMs,
    );
  }

  private withWindow<T>(
    call: string,
    work: (window: string | undefined, leftMs: number) => Promise<T>,
    timeoutMs?: number,
  ): Promise<T> {
    return retryUntilFound(
      this.link,
      { scope: this.scope, expression: `${this.scope.expression}.${call}`, timeoutMs },
      work,
    );
  }
}
