import { DesktopError } from './errors.js';
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
