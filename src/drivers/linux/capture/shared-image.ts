import type { ShmSegment } from 'x11';
import { DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { Screenshot } from '../../contract/index.js';
import { XRequestError, type X11Client } from '../x11/client.js';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const KEEP_MS = 10_000;

/**
 * Reads pixels through memory that the server shares with us. Creating a segment costs more than the capture, and so
 * does allocating our own buffer, so the last of each is kept for a while. Two captures at the same time use two.
 */
export class SharedImage {
  private segment?: ShmSegment;
  private spareBuffer?: Buffer;
  private expiry?: NodeJS.Timeout;
  private unavailable = false;
  private readonly lent = new WeakSet<Screenshot>();

  constructor(private readonly client: X11Client) {
    client.onLost(() => clearTimeout(this.expiry));
  }

  /** The pixels belong to the caller, who may return them. Undefined if there is no shared memory. */
  async read(drawable: number, box: Box, size: number): Promise<Buffer | undefined> {
    const segment = await this.takeSegment(size);
    if (!segment) return undefined;
    try {
      await this.client.request<unknown>((_, reply) =>
        segment.getImage(drawable, box.x, box.y, box.width, box.height, ALL_PLANES, Z_PIXMAP, 0, reply),
      );
      const pixels = this.takeBuffer(size);
      this.client.memory.read(segment, pixels);
      this.keepSegment(segment);
      return pixels;
    } catch (error) {
      this.client.send(() => segment.detach());
      if (error instanceof XRequestError) return undefined;
      throw error;
    }
  }

  /** The same screenshot; `release` accepts it from now on. */
  lend(screenshot: Screenshot): Screenshot {
    this.lent.add(screenshot);
    return screenshot;
  }

  /**
   * The pixels are no longer used: the next capture can reuse their memory. Only once per screenshot, since its memory
   * may belong to a later one by now.
   */
  release(screenshot: Screenshot): void {
    if (this.lent.delete(screenshot) && this.segment) this.spareBuffer = screenshot.rgba;
  }

  private takeBuffer(size: number): Buffer {
    const { spareBuffer: spare } = this;
    this.spareBuffer = undefined;
    return spare?.length === size ? spare : Buffer.allocUnsafeSlow(size);
  }

  private async takeSegment(size: number): Promise<ShmSegment | undefined> {
    if (this.unavailable || !this.client.local) return undefined;
    const { segment } = this;
    if (segment && segment.size >= size) {
      this.segment = undefined;
      return segment;
    }
    const shm = await this.client.extension('shm');
    try {
      if (shm) return await this.client.request<ShmSegment>((_, reply) => shm.createSegment(size, reply));
    } catch (error) {
      if (error instanceof DesktopError) throw error;
      // The server cannot access our memory (container, permissions). Another attempt would not change that.
    }
    this.unavailable = true;
    return undefined;
  }

  private keepSegment(segment: ShmSegment): void {
    if (this.segment && this.segment.size >= segment.size) {
      this.client.send(() => segment.detach());
      return;
    }
    this.dropSegment();
    this.segment = segment;
    this.expiry = setTimeout(() => this.dropSegment(), KEEP_MS).unref();
  }

  private dropSegment(): void {
    clearTimeout(this.expiry);
    const { segment } = this;
    this.segment = undefined;
    this.spareBuffer = undefined;
    if (segment) this.client.send(() => segment.detach());
  }
}
