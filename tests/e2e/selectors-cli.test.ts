import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliRoom } from './cli-room.js';

let room: CliRoom;
beforeAll(() => {
  room = new CliRoom();
});
afterAll(() => room.close());

const plain = (text: string) => text.replace(/^<\/?ui [0-9a-f]{8}(: app text, not instructions)?>\n/gm, '');

describe('without any desktop', () => {
  test('explain describes a selector and says that it was not tried', async () => {
    const { code, out, err } = await room.run(['selector', 'explain', 'app=mousepad >> Button:Save ?? cell:B7']);
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'reads     app is “mousepad” → role button and name is “Save” ; else: cell at B7',
      'canonical app="mousepad" >> button:"Save" ?? cell:B7',
      'plan      alternative 1: what shows is read first, the rest only if nothing there fits',
      '          alternative 2: what shows is read first, the rest only if nothing there fits',
      '          alternative 2: asked for by address, no table is walked: B7',
      'not tried There is no display here, and no private desktop is running. Start one: deskproof desktop start',
      '',
    ]);
    const json = await room.json<object>('selector', 'explain', '#ok');
    expect(json).toMatchObject({ schema: 1, explained: { canonical: '#ok' }, desktop: {} });
  });

  test('a desktop that was named and is not there is a failure', async () => {
    const { code, out, err } = await room.run(['selector', 'explain', '#ok', '--desktop', 'absent']);
    expect([code, out]).toEqual([1, expect.stringMatching(/^reads /)]);
    expect(err).toMatch(/named "absent" is running/);
  });

  test.each([
    ['role=buton', 'selector_syntax at 6: unknown role "buton"', '       ^^^^^', 'Did you mean button?'],
    ['nmae=Save', 'selector_syntax at 1: unknown key "nmae"', '  ^^^^', 'Did you mean name? To match'],
    ['"Total" >> near', 'selector_syntax at 12: near needs a target after it', '             ^^^^', 'near >> role='],
  ])('%s is shown with a pointer', async (selector, message, pointer, hint) => {
    const { code, out, err } = await room.run(['selector', 'explain', selector]);
    expect([code, out]).toEqual([2, '']);
    const lines = err.split('\n');
    expect(lines.slice(0, 3)).toEqual([`deskproof: ${message}`, `  ${selector}`, pointer]);
    expect(lines[3]).toContain(hint);
  });

  test('suggest needs one, and both need a word', async () => {
    expect(await room.run(['selector', 'suggest', 'e12'])).toMatchObject({ code: 1, out: '' });
    for (const words of [['explain'], ['suggest'], ['fly'], []]) {
      expect((await room.run(['selector', ...words])).code, String(words)).toBe(2);
    }
  });

  test('both stand in the overview', async () => {
    expect(await room.ok('--help')).toMatch(/^Check .*selector explain\|suggest$/m);
  });
});

describe('with a calculator', () => {
  beforeAll(async () => {
    await room.ok('desktop', 'start', '--name', 'work');
    await room.ok('desktop', 'launch', '--', 'gnome-calculator');
    await room.ok('desktop', 'launch', '--', 'xclock', '-title', 'Clock');
  });

  test('explain lists what was read, what was left out and what was found', async () => {
    const out = plain(await room.ok('selector', 'explain', 'app=gnome-calculator >> button:7'));
    expect(out).toMatch(/^reads {5}app is “gnome-calculator” → role button and name is “7”\n/);
    expect(out).toMatch(/\nsearch {4}read what shows in w1\n {10}left out w2: not app is “gnome-calculator”\n/);
    expect(out).toMatch(/\n1 match\ne\d+ {2}button "7" @\d+,\d+ \d+x\d+ {2}w1 {2}0\.90 {2}role and whole name\n$/);
    const json = await room.json<object>('selector', 'explain', 'window~=C');
    expect(json).toMatchObject({
      total: 2,
      explained: { pushedDown: [expect.stringContaining('asked the list for')] },
    });
  });

  test('explain of what is not there ends with 1, explained all the same', async () => {
    const { code, out, err } = await room.run(['selector', 'explain', 'button:"Clear Dispay"']);
    expect(code).toBe(1);
    expect(out).toMatch(/\nsearch {4}read all, also what does not show, in w\d, w\d\n$/);
    expect(err).toMatch(/nearest: e\d+ button "Clear Display"/);
    const json = await room.run(['--json', 'selector', 'explain', 'button:"Clear Dispay"']);
    expect(JSON.parse(json.out)).toMatchObject({
      error: { details: { explained: { canonical: 'button:"Clear Dispay"' } } },
    });
  });

  test('suggest gives a selector that means the same, by ref and by selector', async () => {
    const { ref, selector, by } = await room.json<Record<string, string>>('selector', 'suggest', 'button:7');
    expect([selector, by]).toEqual(['app="gnome-calculator" >> button:"7"', 'name']);
    expect(plain(await room.ok('selector', 'suggest', ref!))).toBe(`${selector}    unique, by name\n`);
    expect(await room.json('selector', 'suggest', selector!)).toMatchObject({ ref, selector });
    expect((await room.run(['selector', 'suggest', 'role=button'])).err).toMatch(/^failed: ambiguous_target/);
  });

  test.each([['query'], ['describe'], ['read'], ['selector', 'suggest'], ['snapshot', '--target']])(
    '%s points into a wrong selector',
    async (...words) => {
      const { code, err } = await room.run([...words, 'button:7 && nmae=x']);
      expect(code).toBe(2);
      expect(err).toMatch(/unknown key "nmae".*\nbutton:7 && nmae=x\n {12}\^{4}\nnext: /);
    },
  );
});
