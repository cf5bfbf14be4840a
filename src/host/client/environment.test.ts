import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.js';
import { Desktops } from './desktops.js';

describe('variables under the earlier name of the program', () => {
  it.each(['DESKTOP', 'RUNTIME', 'DEBUG', 'FAKE'])('DESKWRIGHT_%s is refused', (name) => {
    const env = { [`DESKWRIGHT_${name}`]: 'x' };
    const error = expect.objectContaining({
      code: 'bad_arguments',
      message:
        `The environment variable DESKWRIGHT_${name} belongs to an earlier name of this program. ` +
        `Unset it and set DESKPROOF_${name} instead.`,
    }) as Error;
    expect(() => readConfig(env)).toThrow(error);
    expect(() => new Desktops('test', env).base).toThrow(error);
  });

  it('an empty one is not set', () => {
    expect(readConfig({ DESKWRIGHT_DEBUG: '', DESKPROOF_DEBUG: '1' })).toMatchObject({ debug: true });
  });
});
