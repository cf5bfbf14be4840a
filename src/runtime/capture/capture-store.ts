import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DesktopError } from '../../shared/index.js';
import { type Box, type Point, sameBox, type WindowInfo } from '../../tree/index.js';
import type { Capture } from './take-capture.js';

/** What is remembered of a picture, so that points in it can be found on the screen again. */
interface KeptCapture {
  origin: Point;
  scale: number;
  width: number;
  height: number;
  /** Of which window it was, and where that was then. */
  window?: { id: string; ref: string; bounds?: Box };
}

const KEPT = 100;

/** The pictures of a desktop: their refs, and the files that they were written to. */
export class CaptureStore {
  private readonly kept = new Map<string, KeptCapture & { file?: string }>();
  private directory?: string;
  private count = 0;

  constructor(
    /** Where files go: a directory that is made when the first one is written, ours alone. */
    private readonly place: string | undefined,
  ) {}

  get given(): number {
    return this.count;
  }

  continueFrom(given: number): void {
    this.count = given;
  }

  nextId(): string {
    return `c${++this.count}`;
  }

  keep({ id, origin, scale, width, height, of }: Capture): void {
    const window = 'window' in of && { window: { id: of.window.id, ref: of.window.ref, bounds: of.window.bounds } };
    this.kept.set(id, { origin, scale, width, height, ...window });
    const oldest = this.kept.entries().next();
    if (this.kept.size <= KEPT || oldest.done) return;
    const [old, { file }] = oldest.value;
    this.kept.delete(old);
    if (file !== undefined) void rm(file, { force: true });
  }

  get(id: string): KeptCapture | undefined {
    return this.kept.get(id);
  }

  /** Writes a picture where its owner alone can read it. Nobody else chooses the place or can know the name. */
  async write(id: string, bytes: Buffer, extension: string): Promise<string> {
    const name = `${id}-${randomBytes(6).toString('hex')}.${extension}`;
    try {
      const file = join((this.directory ??= this.makeDirectory()), name);
      await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
      const kept = this.kept.get(id);
      if (kept) kept.file = file;
      return file;
    } catch (error) {
      throw new DesktopError('command_failed', 'The picture could not be written to a file.', {
        hint: 'make room on the disk, or ask for output image.',
        cause: error,
      });
    }
  }

  /** The files go with the desktop. */
  close(): void {
    if (this.directory !== undefined) rmSync(this.directory, { recursive: true, force: true });
    this.directory = undefined;
  }

  private makeDirectory(): string {
    if (this.place === undefined) return mkdtempSync(join(tmpdir(), 'deskproof-captures-'));
    mkdirSync(this.place, { mode: 0o700 });
    return this.place;
  }
}

/** A point of a picture as a point of the screen. A picture of a window is worth nothing once the window has moved. */
export function pointOnScreen(
  capture: KeptCapture | undefined,
  id: string,
  { x, y }: Point,
  windows: readonly WindowInfo[],
): Point {
  if (!capture) {
    throw new DesktopError('element_not_found', `There is no capture ${id} any more.`, {
      retry: 'no',
      hint: 'take a new one: ui_capture.',
    });
  }
  const { origin, scale, width, height, window } = capture;
  if (x < 0 || y < 0 || x >= width || y >= height) {
    throw new DesktopError('bad_arguments', `${x},${y} is not in ${id}: that is ${width}x${height}.`, { retry: 'no' });
  }
  if (window && !sameBox(windows.find(({ id: one }) => one === window.id)?.bounds, window.bounds)) {
    throw new DesktopError('target_changed', `${window.ref} is not where it was when ${id} was taken.`, {
      retry: 'no',
      hint: `take a new one: ui_capture ${window.ref}.`,
    });
  }
  // The middle of what the pixel shows.
  return { x: origin.x + Math.floor((x + 0.5) / scale), y: origin.y + Math.floor((y + 0.5) / scale) };
}
