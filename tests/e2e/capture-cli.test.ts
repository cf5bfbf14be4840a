import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliRoom } from './cli-room.js';

const room = new CliRoom();
const place = (name: string): string => join(room.base, name);
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;

beforeAll(async () => {
  await room.ok('desktop', 'start', '--name', 'pictures', '--size', '1600x900');
  await room.ok('--desktop', 'pictures', 'launch', 'gnome-calculator');
});
afterAll(() => room.close());

describe('deskproof capture', () => {
  it('writes a window to the file that is named, and says what it is', async () => {
    const said = await room.ok('capture', 'Calculator', '-o', 'calc.png');
    const png = readFileSync(place('calc.png'));
    const [, words] = /^calc\.png {2}(\d+x\d+) png \d+ kB, w\d+ at \d+,\d+, scale 1, c\d+\n$/.exec(said)!;
    expect(words).toBe(sizeOf(png));
    expect(statSync(place('calc.png')).mode & 0o777).toBe(0o600);
  });

  it('overwrites an existing file, as the user asked', async () => {
    writeFileSync(place('old.png'), 'old');
    await room.ok('capture', '-o', 'old.png', '--max-size', '0');
    expect(sizeOf(readFileSync(place('old.png')))).toBe('1600x900');
  });

  it('as JPEG when the file is called so, and with every flag of the tool', async () => {
    const said = await room.ok('capture', '--region', '0,0,200,100', '--cursor', '--quality', '50', '-o', 'part.jpg');
    expect(said).toMatch(/^part\.jpg {2}200x100 jpeg \d+ kB, region at 0,0, scale 1, c\d+\n$/);
    expect(readFileSync(place('part.jpg')).toString('hex', 0, 3)).toBe('ffd8ff');
  });

  it('without a file name: writes a private file and reports its path', async () => {
    const said = await room.ok('capture', 'Calculator');
    const [, file] = /^(\/\S+\.png) {2}\d+x\d+ png /.exec(said)!;
    expect(statSync(file!).mode & 0o777).toBe(0o600);
    expect(sizeOf(readFileSync(file!))).toMatch(/^\d+x\d+$/);
  });

  it('the facts as JSON; the picture itself only when it is asked for', async () => {
    const facts = await room.json<Record<string, unknown>>('capture', 'Calculator', '-o', 'facts.png');
    expect(facts).toMatchObject({ schema: 1, of: 'window', format: 'png', scale: 1, file: place('facts.png') });
    expect(facts).not.toHaveProperty('data');
    expect(await room.json('capture')).not.toHaveProperty('data');
    const whole = await room.json<{ data: string }>('capture', 'Calculator', '--output', 'image');
    expect(Buffer.from(whole.data, 'base64').toString('latin1', 1, 4)).toBe('PNG');
  });

  it.each<[string[], number, RegExp]>([
    [['capture', 'Nowhere', '-o', 'x.png'], 1, /element_not_found/],
    [['capture', '-o', '-'], 2, /-o requires a file name/],
    [['capture', '-o', 'x.png', '--output', 'image'], 2, /--output cannot be used/],
    [['capture', '--monitor', '4', '-o', 'x.png'], 2, /no monitor 4/],
    [['capture', '--region', '1,2,3', '-o', 'x.png'], 2, /region must have 4 values/],
    [['capture', '--format', 'gif', '-o', 'x.gif'], 2, /gif/],
    [['capture', '--scale', '7', '-o', 'x.png'], 2, /scale must be at most 1/],
  ])('%j is refused', async (words, code, says) => {
    const outcome = await room.run(words);
    expect(outcome.code).toBe(code);
    expect(outcome.err + outcome.out).toMatch(says);
  });

  it('says where it could not write', async () => {
    mkdirSync(place('directory'));
    const outcome = await room.run(['capture', '-o', 'directory']);
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.err).toMatch(/cannot be written to directory/);
  });
});
