import { describe, expect, it } from 'vitest';
import { parseDisplayName } from './display.js';

describe('parseDisplayName', () => {
  it.each([
    [':0', { host: '', number: 0, screen: 0, socket: '/tmp/.X11-unix/X0' }],
    [':101.0', { host: '', number: 101, screen: 0, socket: '/tmp/.X11-unix/X101' }],
    ['unix:3.1', { host: '', number: 3, screen: 1, socket: '/tmp/.X11-unix/X3' }],
    ['unix/box:3', { host: '', number: 3, screen: 0, socket: '/tmp/.X11-unix/X3' }],
    ['localhost:10.0', { host: 'localhost', number: 10, screen: 0 }],
    ['[fe80::1]:2', { host: 'fe80::1', number: 2, screen: 0 }],
  ])('%s', (text, expected) => {
    expect(parseDisplayName(text)).toEqual({ text, ...expected });
  });

  it.each(['', '0', 'wayland-0', ':', ':x', '../../etc:0', ':0;rm', ':999999'])('refuses %j', (text) => {
    expect(() => parseDisplayName(text)).toThrow(expect.objectContaining({ code: 'driver_unavailable' }) as Error);
  });
});
