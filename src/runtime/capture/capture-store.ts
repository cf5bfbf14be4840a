import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DesktopError } from '../../shared/index.js';
import { type Box, type Point, sameBox, type WindowInfo } from '../../tree/index.js';
import type { Capture } from './take-capture.js';

/** Data about a screenshot that maps its points back to the screen. */
interface KeptCapture {
  origin: Point;
  scale: number;
  width: number;
  height: number;
  /** The captured window and its position at that time. */
  window?: { id: string; ref: string; bounds?: Box };
}

const KEPT = 100;

/** The screenshots of a desktop: their refs and files. */
export class CaptureStore {
  private readonly kept = new Map<string, KeptCapture & { file?: string }>();
  private directory?: string;
  private count = 0;

  constructor(
    /** The private directory for files. It is created for the first file. */
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

  /** Writes a screenshot that only its owner can read. No caller chooses the path, and its name cannot be guessed. */
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

  /** Deletes the files with the desktop. */
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

/** Maps a point of a screenshot to the screen. Refused for a screenshot of a window that has moved since. */
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
  // The centre of the screen area that the pixel covers.
  return { x: origin.x + Math.floor((x + 0.5) / scale), y: origin.y + Math.floor((y + 0.5) / scale) };
}
