import { DesktopError } from '../../../shared/index.js';
import type { Size } from '../../../tree/index.js';
import { words16, words32, type XLink } from './x-link.js';

const SET_MONITOR = 43;
const GET_SCREEN_RESOURCES = 25;
const QUERY_VERSION = 0;
/** Millimetres of a pixel at 96 dpi. */
const MM = 25.4 / 96;

/**
 * Splits the one X screen into monitors side by side. The first takes the screen's only output, else the server keeps
 * listing the whole screen as a monitor too.
 */
export async function splitIntoMonitors(link: XLink, size: Size, count: number): Promise<void> {
  const name = 'RANDR';
  const extension = await link.ask(98, 0, Buffer.concat([words16(name.length, 0), Buffer.from(name)]));
  const opcode = extension[9] ?? 0;
  if (extension[8] !== 1) {
    throw new DesktopError('driver_unavailable', 'This X server has no RandR, so it cannot show two monitors.');
  }
  await link.ask(opcode, QUERY_VERSION, words32(1, 5));
  const resources = await link.ask(opcode, GET_SCREEN_RESOURCES, words32(link.root));
  const crtcs = resources.readUInt16LE(16);
  const outputs = resources.readUInt16LE(18);
  const output = outputs > 0 ? [resources.readUInt32LE(32 + 4 * crtcs)] : [];
  for (let index = 0; index < count; index++) {
    const atom = await link.atom(`monitor-${index + 1}`);
    const own = index === 0 ? output : [];
    link.send(
      opcode,
      SET_MONITOR,
      Buffer.concat([
        words32(link.root, atom),
        Buffer.from([index === 0 ? 1 : 0, 0]),
        words16(own.length, index * size.width, 0, size.width, size.height),
        words32(Math.round(size.width * MM), Math.round(size.height * MM), ...own),
      ]),
    );
  }
  await link.sync();
}
