import { decode, messageSize, type Incoming } from './message.js';

/** Larger answers are dropped unread: nothing that we ask for has a right to be that big. */
const MAX_BODY = 16 * 1024 * 1024;

/** Cuts what arrives into messages. Of one that is too big only the header is kept. */
export class MessageStream {
  private chunks: Buffer[] = [];
  /** Bytes in `chunks`, and how many make the next step possible: a large message is put together once, not per chunk. */
  private have = 0;
  private need = 16;
  private skip = 0;

  constructor(private readonly take: (incoming: Incoming, tooBig: boolean) => void) {}

  /** Throws on bytes that are no message. */
  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.have += chunk.length;
    if (this.have < this.need && this.skip === 0) return;
    const buffer = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    let at = Math.min(this.skip, buffer.length);
    this.skip -= at;
    this.need = 16;
    for (;;) {
      const size = messageSize(buffer, at, buffer.length);
      if (!size) break;
      const tooBig = size.body > MAX_BODY;
      const whole = size.header + (tooBig ? 0 : size.body);
      if (buffer.length - at < whole) {
        this.need = whole;
        break;
      }
      const incoming = decode(buffer.subarray(at, at + whole), size.header);
      at += whole;
      if (tooBig) {
        const here = Math.min(size.body, buffer.length - at);
        this.skip = size.body - here;
        at += here;
      }
      this.take(incoming, tooBig);
    }
    this.chunks = at < buffer.length ? [buffer.subarray(at)] : [];
    this.have = buffer.length - at;
  }
}
