import { afterEach, describe, expect, it, vi } from 'vitest';

const picture = { width: 3, height: 2, rgba: Buffer.alloc(24, 200) };
/** Nothing in it repeats, as in a photograph. */
const busy = {
  width: 30,
  height: 20,
  rgba: Buffer.from(Uint32Array.from({ length: 600 }, (_, at) => at * 7_919_777).buffer),
};
const PNG = '89504e470d0a1a0a';

afterEach(() => {
  vi.doUnmock('sharp');
  vi.resetModules();
});

describe('encodeImage', () => {
  it('encodes the requested format', async () => {
    const { encodeImage } = await import('./image.js');
    const png = await encodeImage(picture, 'png');
    expect(png.toString('hex', 0, 8)).toBe(PNG);
    expect([png.readUInt32BE(16), png.readUInt32BE(20), png[25]]).toEqual([3, 2, 2]);
    expect((await encodeImage(busy, 'png')).toString('hex', 0, 8)).toBe(PNG);
    const jpeg = await encodeImage(picture, 'jpeg', 70);
    expect(jpeg.toString('hex', 0, 3)).toBe('ffd8ff');
  });

  it('encodes PNG without sharp, and reports how to get JPEG', async () => {
    vi.resetModules();
    vi.doMock('sharp', () => {
      throw new Error('not for this machine');
    });
    const { encodeImage } = await import('./image.js');
    expect((await encodeImage(picture, 'png')).toString('hex', 0, 8)).toBe(PNG);
    expect((await encodeImage(busy, 'png')).toString('hex', 0, 8)).toBe(PNG);
    await expect(encodeImage(picture, 'jpeg')).rejects.toMatchObject({
      code: 'not_supported',
      hint: expect.stringContaining('npm install sharp') as string,
    });
  });
});
