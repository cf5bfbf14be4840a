import { DesktopError } from '../shared/index.js';
import { encodeFlatPngInSteps, encodePng, type Pixels } from './png.js';

export const IMAGE_FORMATS = ['png', 'jpeg'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** The part of npm `sharp` that is used. The package is optional, so its own types may be missing. */
interface Sharp {
  removeAlpha(): Sharp;
  png(options: { compressionLevel: number }): Sharp;
  jpeg(options: { quality: number }): Sharp;
  toBuffer(): Promise<Buffer>;
}
type MakeSharp = (pixels: Buffer, options: { raw: { width: number; height: number; channels: 4 } }) => Sharp;

/** The name is in a variable so that no build resolves the package. */
const SHARP: string = 'sharp';
let loading: Promise<MakeSharp | undefined> | undefined;

/** Encodes an image as a file. Slow work runs off this thread when `sharp` is installed, else in small steps. */
export async function encodeImage(
  picture: Pixels,
  format: ImageFormat,
  /** Quality of a JPEG, 1 to 100. */
  quality = 85,
): Promise<Buffer> {
  const flat = format === 'png' ? await encodeFlatPngInSteps(picture) : undefined;
  if (flat) return flat;
  const sharp = await (loading ??= loadSharp());
  const { width, height, rgba } = picture;
  const image = sharp?.(rgba, { raw: { width, height, channels: 4 } }).removeAlpha();
  if (format === 'jpeg') {
    if (image) return image.jpeg({ quality }).toBuffer();
    throw new DesktopError('not_supported', 'JPEG images need the npm package sharp, which is not installed.', {
      retry: 'no',
      hint: 'Run npm install sharp, or use png.',
    });
  }
  return image ? image.png({ compressionLevel: 1 }).toBuffer() : encodePng(picture);
}

async function loadSharp(): Promise<MakeSharp | undefined> {
  try {
    return ((await import(SHARP)) as { default: MakeSharp }).default;
  } catch {
    return undefined; // Not installed, or no build for this machine: PNG works without it.
  }
}

/** Scales an opaque image (4 bytes per pixel) down: every pixel is the mean of the pixels that it covers. */
export function scaleImage(
  image: { width: number; height: number; rgba: Buffer },
  width: number,
  height: number,
): Buffer {
  const { width: sourceWidth, height: sourceHeight, rgba } = image;
  const out = Buffer.allocUnsafeSlow(width * height * 4);
  const columns = pixelShares(sourceWidth, width);
  const rows = pixelShares(sourceHeight, height);
  const scaledRow = new Float64Array(width * 3);
  const sums = new Float64Array(width * 3);
  let row = -1;
  for (let to = 0; to < height; to += 1) {
    sums.fill(0);
    const { first, weights } = rows[to]!;
    for (let at = 0; at < weights.length; at += 1) {
      if (first + at !== row) scaleRow(rgba, (row = first + at) * sourceWidth * 4, columns, scaledRow);
      const weight = weights[at]!;
      for (let index = 0; index < sums.length; index += 1) sums[index]! += scaledRow[index]! * weight;
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

interface PixelShare {
  first: number;
  /** Weights of the pixels from `first` on; their sum is 1. */
  weights: Float64Array;
}

/** How much each of `from` pixels contributes to each of `to` pixels. */
function pixelShares(from: number, to: number): PixelShare[] {
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

function scaleRow(rgba: Buffer, start: number, columns: readonly PixelShare[], scaledRow: Float64Array): void {
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
    scaledRow[into] = red;
    scaledRow[into + 1] = green;
    scaledRow[into + 2] = blue;
    into += 3;
  }
}
