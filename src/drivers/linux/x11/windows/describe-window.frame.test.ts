import { describe, expect, it } from 'vitest';
import { readExtents, frameBox, type FrameParts } from './describe-window.js';
import { monitorOf, unpackRandr, type Monitor } from '../monitors.js';
import { windowIdOf, xidOf } from './window.js';

const client = { x: 101, y: 120, width: 640, height: 480 };

describe('frameBox', () => {
  const cases: [string, FrameParts, { x: number; y: number; width: number; height: number }][] = [
    ['no frame', { client }, client],
    ['a border drawn by the server', { client, border: 2 }, { x: 99, y: 118, width: 644, height: 484 }],
    [
      'decoration',
      { client, frame: { x: 100, y: 100, width: 642, height: 505 }, decoration: [1, 1, 20, 5] },
      { x: 100, y: 100, width: 642, height: 505 },
    ],
    [
      'excludes the invisible resize border around the frame',
      { client, frame: { x: 91, y: 91, width: 660, height: 523 }, decoration: [1, 1, 20, 5] },
      { x: 100, y: 100, width: 642, height: 505 },
    ],
    [
      'clips decoration that is larger than the frame',
      { client, frame: { x: 100, y: 100, width: 642, height: 505 }, decoration: [5000, 5000, 5000, 5000] },
      { x: 100, y: 100, width: 642, height: 505 },
    ],
    [
      'ignores decoration without a frame, which only the app can have set',
      { client, decoration: [9, 9, 9, 9] },
      client,
    ],
    ['shadow', { client, shadow: [26, 26, 23, 29] }, { x: 127, y: 143, width: 588, height: 428 }],
    ['ignores a shadow that is larger than the window', { client, shadow: [400, 400, 0, 0] }, client],
  ];
  it.each(cases)('%s', (_, parts, expected) => {
    expect(frameBox(parts)).toEqual(expected);
  });

  it('requires all four numbers', () => {
    expect(readExtents([1, 2, 3])).toBeUndefined();
    expect(readExtents([1, 2, 3, 4])).toEqual([1, 2, 3, 4]);
  });
});

describe('monitors', () => {
  const two: Monitor[] = [
    { number: 1, bounds: { x: 0, y: 0, width: 800, height: 600 }, primary: true, scale: 1 },
    { number: 2, bounds: { x: 800, y: 0, width: 800, height: 600 }, primary: false, scale: 1 },
  ];
  it.each([
    [{ x: 10, y: 10, width: 50, height: 50 }, 1],
    [{ x: 700, y: 10, width: 150, height: 50 }, 1],
    [{ x: 700, y: 10, width: 250, height: 50 }, 2],
    [{ x: 5000, y: 10, width: 50, height: 50 }, undefined],
  ])('%j is on %s', (box, expected) => {
    expect(monitorOf(box, two)).toBe(expected);
  });

  it('reads RandR monitors with any number of outputs', () => {
    const body = Buffer.alloc(24 + 24 + 8 + 24);
    body.writeUInt32LE(2, 4);
    body.writeUInt16LE(2, 24 + 6);
    body.writeInt16LE(-800, 24 + 8);
    body.writeUInt16LE(800, 24 + 12);
    body.writeUInt16LE(600, 24 + 14);
    const second = 24 + 24 + 8;
    body.writeUInt8(1, second + 4);
    body.writeUInt16LE(1920, second + 12);
    body.writeUInt16LE(1080, second + 14);
    expect(unpackRandr(body)).toEqual([
      { number: 1, bounds: { x: -800, y: 0, width: 800, height: 600 }, primary: false, scale: 1 },
      { number: 2, bounds: { x: 0, y: 0, width: 1920, height: 1080 }, primary: true, scale: 1 },
    ]);
  });
});

describe('window ids', () => {
  it('convert back and forth', () => {
    expect(windowIdOf(0x1a00007)).toBe('x:0x1a00007');
    expect(xidOf('x:0x1a00007')).toBe(0x1a00007);
    expect(xidOf('x:0xffffffff')).toBe(0xffffffff);
  });
  it.each(['', '0x1a00007', 'x:27262983', 'x:0x', 'x:0x1ffffffff', 'a:0x1'])('rejects %j', (text) => {
    expect(xidOf(text)).toBeUndefined();
  });
});
