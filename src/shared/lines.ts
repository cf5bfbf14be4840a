import { StringDecoder } from 'node:string_decoder';

/** Splits a stream into lines with a hard limit, so that a peer cannot fill our memory with a line that never ends. */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private pieces: string[] = [];
  private bytes = 0;

  constructor(private readonly limit: number) {}

  /** The lines that `chunk` completes. Throws RangeError when a line exceeds the limit. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.add(chunk.subarray(from, at));
      lines.push(this.pieces.join('') + this.decoder.end());
      this.pieces = [];
      this.bytes = 0;
      from = at + 1;
    }
    this.add(chunk.subarray(from));
    return lines;
  }

  private add(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > this.limit) throw new RangeError(`a line is longer than ${this.limit} bytes`);
    if (part.length > 0) this.pieces.push(this.decoder.write(part));
  }
}
