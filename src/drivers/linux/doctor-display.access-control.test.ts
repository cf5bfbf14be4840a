import { describe, expect, it } from 'vitest';
import { unpackHosts } from './doctor-display.js';

describe('unpackHosts', () => {
  it('reads entries of any length', () => {
    const body = Buffer.concat([
      Buffer.from([2, 0]),
      Buffer.alloc(22),
      Buffer.from([252, 0, 0, 0]),
      Buffer.from([5, 0, 13, 0]),
      Buffer.from('localuser\0ada\0\0\0'),
    ]);
    expect(unpackHosts(body, 1)).toEqual({
      enabled: true,
      hosts: [
        { family: 252, address: '' },
        { family: 5, address: 'localuser\0ada' },
      ],
    });
  });

  it('reports that access control is disabled', () => {
    expect(unpackHosts(Buffer.alloc(24), 0)).toEqual({ enabled: false, hosts: [] });
  });
});
