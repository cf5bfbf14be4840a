import type { ShmSegment } from 'x11';
import { DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import { XRequestError, type X11Client } from '../x/x11-client.js';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const KEEP_MS = 10_000;

/**
 * Pixels through memory that the server shares with us. A fresh segment costs more than the picture, so the last one
 * is kept for a while; two pictures at once use two.
 */
export class SharedPicture {
  private kept?: { segment: ShmSegment; size: number };
  private expiry?: NodeJS.Timeout;
  private impossible = false;

  constructor(private readonly client: X11Client) {
    client.onLost(() => clearTimeout(this.expiry));
  }

  /** `use` gets the pixels and must be done with them when it returns. Undefined when there is no shared memory. */
  async read<T>(drawable: number, box: Box, size: number, use: (pixels: Buffer) => T): Promise<T | undefined> {
    const segment = await this.take(size);
    if (!segment) return undefined;
    try {
      await this.client.ask<unknown>((_, reply) =>
        segment.getImage(drawable, box.x, box.y, box.width, box.height, ALL_PLANES, Z_PIXMAP, 0, reply),
      );
    } catch (error) {
      this.client.tell(() => segment.detach());
      if (error instanceof XRequestError) return undefined;
      throw error;
    }
    const value = use(segment.buffer.subarray(0, size));
    this.keep(segment, segment.buffer.length);
    return value;
  }

  private async take(size: number): Promise<ShmSegment | undefined> {
    if (this.impossible || !this.client.local) return undefined;
    const { kept } = this;
    if (kept && kept.size >= size) {
      this.kept = undefined;
      return kept.segment;
    }
    const shm = await this.client.extension('shm');
    try {
      if (shm) return await this.client.ask<ShmSegment>((_, reply) => shm.createSegment(size, reply));
    } catch (error) {
      if (error instanceof DesktopError) throw error;
      // The server cannot see our memory (container, permissions); asking again would not change that.
    }
    this.impossible = true;
    return undefined;
  }

  private keep(segment: ShmSegment, size: number): void {
    if (this.kept && this.kept.size >= size) {
      this.client.tell(() => segment.detach());
      return;
    }
    this.drop();
    this.kept = { segment, size };
    this.expiry = setTimeout(() => this.drop(), KEEP_MS).unref();
  }

  private drop(): void {
    clearTimeout(this.expiry);
    const { kept } = this;
    this.kept = undefined;
    if (kept) this.client.tell(() => kept.segment.detach());
  }
}
