import type { ShmSegment } from 'x11';
import { DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import { XRequestError, type X11Client } from '../x11/client.js';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const KEEP_MS = 10_000;

/**
 * Pixels through memory that the server shares with us. A fresh segment costs more than the picture, and so does fresh
 * memory of our own: the last of each is kept for a while. Two pictures at once use two.
 */
export class SharedPicture {
  private kept?: ShmSegment;
  private spare?: Buffer;
  private expiry?: NodeJS.Timeout;
  private impossible = false;

  constructor(private readonly client: X11Client) {
    client.onLost(() => clearTimeout(this.expiry));
  }

  /** The pixels belong to the caller, who may give them back. Undefined when there is no shared memory. */
  async read(drawable: number, box: Box, size: number): Promise<Buffer | undefined> {
    const segment = await this.take(size);
    if (!segment) return undefined;
    try {
      await this.client.request<unknown>((_, reply) =>
        segment.getImage(drawable, box.x, box.y, box.width, box.height, ALL_PLANES, Z_PIXMAP, 0, reply),
      );
      const pixels = this.memoryOf(size);
      this.client.memory.read(segment, pixels);
      this.keep(segment);
      return pixels;
    } catch (error) {
      this.client.send(() => segment.detach());
      if (error instanceof XRequestError) return undefined;
      throw error;
    }
  }

  /** For a picture whose pixels these are: once nobody looks at them any more, the next one may have their memory. */
  releaseOf(pixels: Buffer): () => void {
    let held = true;
    return () => {
      if (held && this.kept) this.spare = pixels;
      held = false;
    };
  }

  private memoryOf(size: number): Buffer {
    const { spare } = this;
    this.spare = undefined;
    return spare?.length === size ? spare : Buffer.allocUnsafeSlow(size);
  }

  private async take(size: number): Promise<ShmSegment | undefined> {
    if (this.impossible || !this.client.local) return undefined;
    const { kept } = this;
    if (kept && kept.size >= size) {
      this.kept = undefined;
      return kept;
    }
    const shm = await this.client.extension('shm');
    try {
      if (shm) return await this.client.request<ShmSegment>((_, reply) => shm.createSegment(size, reply));
    } catch (error) {
      if (error instanceof DesktopError) throw error;
      // The server cannot see our memory (container, permissions); asking again would not change that.
    }
    this.impossible = true;
    return undefined;
  }

  private keep(segment: ShmSegment): void {
    if (this.kept && this.kept.size >= segment.size) {
      this.client.send(() => segment.detach());
      return;
    }
    this.drop();
    this.kept = segment;
    this.expiry = setTimeout(() => this.drop(), KEEP_MS).unref();
  }

  private drop(): void {
    clearTimeout(this.expiry);
    const { kept } = this;
    this.kept = undefined;
    this.spare = undefined;
    if (kept) this.client.send(() => kept.detach());
  }
}
