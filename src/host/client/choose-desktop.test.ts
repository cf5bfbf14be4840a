import { describe, expect, it } from 'vitest';
import type { DesktopError } from '../../shared/index.js';
import { chooseDesktop, choosePrivate } from './choose-desktop.js';

const running =
  (...names: string[]) =>
  () =>
    Promise.resolve(names);
const user = { kind: 'user' };
const named = (name: string) => ({ kind: 'private', name });

describe('chooseDesktop', () => {
  it.each([
    ['work', {}, [], named('work')],
    ['user', { DESKPROOF_DESKTOP: 'work' }, [], user],
    ['work', { DESKPROOF_DESKTOP: 'other', DISPLAY: ':0' }, [], named('work')],
    [undefined, { DESKPROOF_DESKTOP: 'work', DISPLAY: ':0' }, [], named('work')],
    [undefined, { DISPLAY: ':0' }, ['a'], user],
    [undefined, { WAYLAND_DISPLAY: 'wayland-0' }, ['a'], user],
    [undefined, { DISPLAY: '', DESKPROOF_DESKTOP: '' }, ['a'], named('a')],
    [undefined, {}, ['a'], named('a')],
  ])('%s with %j and %j running', async (given, env, names, choice) => {
    expect(await chooseDesktop(given, env, running(...names))).toEqual(choice);
  });

  it.each([
    [undefined, [], 'driver_unavailable', /no display here/, /deskproof desktop start/],
    [undefined, ['a', 'b'], 'bad_arguments', /2 private desktops are running: a, b/, /--desktop a/],
    ['virtual', [], 'bad_arguments', /empty/, /desktop start/],
    ['Bad Name', [], 'bad_arguments', /letters without accents/, /--name/],
  ])('%s with %j running is an error that names a command', async (given, names, code, message, hint) => {
    const error = await chooseDesktop(given, {}, running(...names)).then(
      () => undefined,
      (thrown: DesktopError) => thrown,
    );
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(hint);
  });
});

describe('choosePrivate', () => {
  it('never chooses the user desktop', async () => {
    expect(await choosePrivate(undefined, { DISPLAY: ':0', DESKPROOF_DESKTOP: 'user' }, running('a'))).toBe('a');
    expect(await choosePrivate('b', {}, running('a'))).toBe('b');
    await expect(choosePrivate(undefined, {}, running())).rejects.toThrow(/No private desktop is running/);
    await expect(choosePrivate(undefined, {}, running('a', 'b'))).rejects.toThrow(/2 private desktops/);
    await expect(choosePrivate('user', {}, running())).rejects.toThrow(/cannot be named/);
  });
});
