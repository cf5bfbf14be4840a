import { StringDecoder } from 'node:string_decoder';

/** A line, or that there was one which is longer than is taken. */
export type Line = string | typeof TOO_LONG;
export const TOO_LONG = Symbol('a line that was too long');

/** Splits a stream into lines. Of one that is too long nothing is kept, however long it gets; the next one counts. */
export class BoundedLines {
  private decoder = new StringDecoder('utf8');
  private pieces: string[] = [];
  private bytes = 0;

  constructor(private readonly most: number) {}

  /** The lines that `chunk` completes. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.add(chunk.subarray(from, at));
      lines.push(this.bytes > this.most ? TOO_LONG : this.pieces.join('') + this.decoder.end());
      [this.pieces, this.bytes, this.decoder] = [[], 0, new StringDecoder('utf8')];
      from = at + 1;
    }
    this.add(chunk.subarray(from));
    return lines;
  }

  private add(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > this.most) this.pieces = [];
    else if (part.length > 0) this.pieces.push(this.decoder.write(part));
  }
}
