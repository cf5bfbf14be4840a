import type { ToolResult } from '../../tools/index.js';
import type { Point, Size, WindowInfo } from '../../tree/index.js';
import { frameOf, snapshotOf } from './snapshot.js';
import type { Link } from './link.js';
import { ElementLocator } from './locator/locator.js';
import type { ActOptions, CaptureOptions, SnapshotOptions } from './options.js';
import { patiently } from './locator/retry.js';
import type { Place } from './locator/place.js';
import { Looking } from './locator/scope.js';
import type { SelectorParts } from './locator/selector-builder.js';
import type { ActResult, DesktopWindow, Frame, Locator, Snapshot } from './surface.js';

/** One window, found again for each call. */
export class PlacedWindow extends Looking implements DesktopWindow {
  constructor(
    readonly link: Link,
    readonly place: Place,
  ) {
    super();
  }

  info(): Promise<WindowInfo> {
    return this.found(`${this.place.said}.info()`);
  }

  /** As soon as it is there. */
  found(said: string, timeoutMs?: number): Promise<WindowInfo> {
    return patiently(this.link, { place: this.place, said, timeoutMs }, () => this.place.find(this.link));
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
    return this.there('snapshot()', (window) => snapshotOf(this.link, { ...options, window }));
  }

  capture({ maxSize = 0, ...options }: CaptureOptions = {}): Promise<Frame> {
    return this.there('capture()', async (window) => {
      const { json } = await this.link.call('ui_capture', { ...options, window, maxSize });
      return frameOf(json as unknown as ToolResult['ui_capture']);
    });
  }

  override toString(): string {
    return this.place.said;
  }

  protected inside(parts: SelectorParts): Locator {
    return new ElementLocator(this.link, this.place, parts);
  }

  private change(action: string, args: ActOptions & Partial<Point & Size> = {}): Promise<ActResult> {
    const { timeoutMs, ...rest } = args;
    return this.there(
      `${action}()`,
      async (window, leftMs) => {
        const { json } = await this.link.call('ui_window', { ...rest, action, window, timeoutMs: leftMs });
        return json as unknown as ActResult;
      },
      timeoutMs,
    );
  }

  private there<T>(
    call: string,
    work: (window: string | undefined, leftMs: number) => Promise<T>,
    timeoutMs?: number,
  ): Promise<T> {
    return patiently(this.link, { place: this.place, said: `${this.place.said}.${call}`, timeoutMs }, work);
  }
}
