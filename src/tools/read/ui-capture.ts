import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineTool, READ_TRAITS, type Capture } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { encodeImage, IMAGE_FORMATS, type ImageFormat } from '../../imaging/index.js';
import type { Point, Size } from '../../tree/index.js';
import { quoted } from '../text/sentence.js';
import { COUNT, THING } from '../output-schemas.js';

/** @public The published types name it. */
export interface Result {
  frame: Capture;
  format: ImageFormat;
  image: Buffer;
  file?: string;
}

/** @public The answer for programs: `data` is base64, `file` is where it was written. */
export interface CaptureAnswer extends Size {
  id: string;
  takenAt: string;
  of: Capture['of']['kind'];
  origin: Point;
  scale: number;
  space: 'screen';
  format: ImageFormat;
  mimeType: string;
  window?: string;
  element?: string;
  monitor?: number;
  bytes: number;
  sha256: string;
  redactions: number;
  uncheckedWindows?: string[];
  data?: string;
  file?: string;
}

export const uiCapture = defineTool({
  name: 'ui_capture',
  class: 'capture',
  // Titles are checked before and after the picture itself.
  blind: true,
  description:
    'Screenshot of the screen, or of a window, target, monitor or region. Costs more than ui_snapshot and may be denied.',
  traits: { ...READ_TRAITS, place: 'any-window' },
  cli: {
    group: 'Look',
    positionals: ['window'],
    usage: 'capture [WINDOW] -o FILE',
    savesFile: true,
    help: {
      monitor: 'number of the monitor, starting at 1',
      format: 'image format',
      quality: 'JPEG quality, 1 to 100',
      cursor: 'include the mouse pointer',
      output: 'what the answer contains',
    },
    examples: [
      ['capture Calculator -o calc.png', 'one window'],
      ['capture --region 0,0,400,300 -o corner.png', 'part of the screen'],
    ],
  },
  sentence: { verb: ({ window }) => ['Take a screenshot of', quoted(window) ?? 'the screen'] },
  output: z.looseObject({
    schema: z.literal(1),
    ...{ id: z.string(), takenAt: z.string(), of: z.string(), width: COUNT, height: COUNT, origin: THING },
    ...{ scale: z.number(), space: z.literal('screen'), format: z.string(), mimeType: z.string() },
    ...{ window: z.string().optional(), element: z.string().optional(), monitor: z.number().optional() },
    ...{ bytes: COUNT, sha256: z.string(), redactions: COUNT, file: z.string().optional() },
  }),
  timeoutMs: 10_000,
  quiet: ['scale'],
  input: z.object({
    target: z.string().max(2_000).optional(),
    window: z.string().max(500).optional(),
    monitor: z.int().min(1).max(64).optional(),
    region: z.array(z.int()).length(4).optional().describe('x, y, width, height'),
    maxSize: z.int().min(0).max(20_000).default(1280).describe('longest side; 0 = true size'),
    scale: z.number().min(0.1).max(1).optional().describe('instead of maxSize: 0.5 is half of the true size'),
    format: z.enum(IMAGE_FORMATS).default('png'),
    quality: z.int().min(1).max(100).default(85),
    cursor: z.boolean().optional(),
    output: z.enum(['image', 'file']).default('image'),
  }),
  async run({ reader }, { format, quality, output, region, ...asked }): Promise<Result> {
    const request = { ...asked, ...(region && { region: boxOf(region) }) };
    const { frame, developed: image } = await reader.capture(request, (picture) =>
      encodeImage(picture, format, quality),
    );
    if (output === 'image') return { frame, format, image };
    return { frame, format, image, file: await reader.writeCapture(frame.id, image, format === 'png' ? 'png' : 'jpg') };
  },
  text({ frame, format, image, file }) {
    return `${file ?? frame.id}  ${captureWords(frame, format, image.length)}${file ? `, ${frame.id}` : ''}`;
  },
  json({ frame, format, image, file }): CaptureAnswer {
    const { id, takenAt, width, height, origin, scale, space, of, redactions, uncheckedWindows } = frame;
    return {
      ...{ id, takenAt, of: of.kind, width, height, origin, scale, space, format, mimeType: `image/${format}` },
      ...('window' in of && { window: of.window.ref }),
      ...('element' in of && { element: of.element.ref }),
      ...('monitor' in of && { monitor: of.monitor }),
      bytes: image.length,
      sha256: createHash('sha256').update(image).digest('hex'),
      redactions,
      ...(uncheckedWindows.length > 0 && { uncheckedWindows }),
      ...(file === undefined ? { data: image.toString('base64') } : { file }),
    };
  },
});

function boxOf([x, y, width, height]: number[]): { x: number; y: number; width: number; height: number } {
  if (width! < 1 || height! < 1) {
    throw new DesktopError('bad_arguments', 'The region is empty.', {
      hint: 'give x, y, width and height, both sides at least 1.',
    });
  }
  return { x: x!, y: y!, width: width!, height: height! };
}

/** `360x616 png 21 kB, w2 at 1960,60, scale 1`. */
function captureWords(
  { width, height, of, origin, scale, redactions, uncheckedWindows }: Capture,
  format: string,
  bytes: number,
) {
  const what =
    of.kind === 'element'
      ? `${of.element.ref} in ${of.window.ref}`
      : of.kind === 'window'
        ? of.window.ref
        : of.kind === 'monitor'
          ? `monitor ${of.monitor}`
          : of.kind;
  const fields = redactions === 1 ? '1 secret field' : `${redactions} secret fields`;
  return [
    `${width}x${height} ${format} ${Math.ceil(bytes / 1000)} kB`,
    `${what} at ${origin.x},${origin.y}`,
    `scale ${Number(scale.toFixed(3))}`,
    ...(redactions > 0 ? [`${fields} painted over`] : []),
    ...(uncheckedWindows.length > 0 ? [`${uncheckedWindows.join(', ')} not checked for secret fields`] : []),
  ].join(', ');
}
