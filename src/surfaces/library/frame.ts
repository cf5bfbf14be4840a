import type { ToolResult } from '../../tools/index.js';
import type { Frame } from './surface.js';

/** A picture as programs use it: bytes. */
export function frameOf(answer: ToolResult['ui_capture']): Frame {
  const { id, width, height, origin, scale, takenAt, format, painted, data = '' } = answer;
  return { id, width, height, origin, scale, takenAt, format, painted, data: Buffer.from(data, 'base64') };
}
