import { DesktopError } from '../shared/index.js';
import { encodeFlatPngBesides, encodePng, type Pixels } from './png.js';

export const IMAGE_FORMATS = ['png', 'jpeg'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** The few words of npm `sharp` that are used; it is optional, so its own types may not be there. */
interface Sharp {
  removeAlpha(): Sharp;
  png(options: { compressionLevel: number }): Sharp;
  jpeg(options: { quality: number }): Sharp;
  toBuffer(): Promise<Buffer>;
}
type MakeSharp = (pixels: Buffer, options: { raw: { width: number; height: number; channels: 4 } }) => Sharp;

/** A name in a variable, so that no build needs the package. */
const PACKAGE: string = 'sharp';
let loading: Promise<MakeSharp | undefined> | undefined;

/** A picture as a file. What takes long is done away from this thread where `sharp` is there, or in small steps. */
export async function encodeImage(
  picture: Pixels,
  format: ImageFormat,
  /** Of jpeg, 1 to 100. */
  quality = 85,
): Promise<Buffer> {
  const flat = format === 'png' ? await encodeFlatPngBesides(picture) : undefined;
  if (flat) return flat;
  const make = await (loading ??= load());
  const { width, height, rgba } = picture;
  const image = make?.(rgba, { raw: { width, height, channels: 4 } }).removeAlpha();
  if (format === 'jpeg') {
    if (image) return image.jpeg({ quality }).toBuffer();
    throw new DesktopError('not_supported', 'JPEG pictures need the package sharp, which is not installed.', {
      retry: 'no',
      hint: 'npm install sharp, or ask for png.',
    });
  }
  return image ? image.png({ compressionLevel: 1 }).toBuffer() : encodePng(picture);
}

async function load(): Promise<MakeSharp | undefined> {
  try {
    return ((await import(PACKAGE)) as { default: MakeSharp }).default;
  } catch {
    return undefined; // Not for this machine, or not installed: PNG works without it.
  }
}

/** An opaque picture, 4 bytes a pixel, made smaller: every pixel is the mean of what lies under it. */
export function scalePicture(
  picture: { width: number; height: number; rgba: Buffer },
  width: number,
  height: number,
): Buffer {
  const { width: wide, height: high, rgba } = picture;
  const out = Buffer.allocUnsafeSlow(width * height * 4);
  const columns = spread(wide, width);
  const rows = spread(high, height);
  const across = new Float64Array(width * 3);
  const sums = new Float64Array(width * 3);
  let row = -1;
  for (let to = 0; to < height; to += 1) {
    sums.fill(0);
    const { first, weights } = rows[to]!;
    for (let at = 0; at < weights.length; at += 1) {
      if (first + at !== row) narrow(rgba, (row = first + at) * wide * 4, columns, across);
      const weight = weights[at]!;
      for (let index = 0; index < sums.length; index += 1) sums[index]! += across[index]! * weight;
    }
    let into = to * width * 4;
    for (let index = 0; index < sums.length; index += 3) {
      out[into] = sums[index]! + 0.5;
      out[into + 1] = sums[index + 1]! + 0.5;
      out[into + 2] = sums[index + 2]! + 0.5;
      out[into + 3] = 255;
      into += 4;
    }
  }
  return out;
}

interface Share {
  first: number;
  /** Of the pixels from `first` on; together 1. */
  weights: Float64Array;
}

/** How much of each of `from` pixels goes into each of `to`. */
function spread(from: number, to: number): Share[] {
  const step = from / to;
  return Array.from({ length: to }, (_, index) => {
    const [start, end] = [index * step, Math.min(from, (index + 1) * step)];
    const first = Math.floor(start);
    const last = Math.min(from, Math.ceil(end - 1e-9));
    const weights = new Float64Array(Math.max(1, last - first));
    for (let at = 0; at < weights.length; at += 1) {
      weights[at] = (Math.min(end, first + at + 1) - Math.max(start, first + at)) / (end - start);
    }
    return { first, weights };
  });
}

function narrow(rgba: Buffer, start: number, columns: readonly Share[], across: Float64Array): void {
  let into = 0;
  for (const { first, weights } of columns) {
    let [red, green, blue] = [0, 0, 0];
    let from = start + first * 4;
    for (const weight of weights) {
      red += rgba[from]! * weight;
      green += rgba[from + 1]! * weight;
      blue += rgba[from + 2]! * weight;
      from += 4;
    }
    across[into] = red;
    across[into + 1] = green;
    across[into + 2] = blue;
    into += 3;
  }
}
