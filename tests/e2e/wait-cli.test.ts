import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

const room = new CliRoom();

beforeAll(async () => {
  await room.ok('desktop', 'start', '--name', 'desk');
});
afterAll(() => room.close());

const at = (...words: string[]) => [...words, '--desktop', 'desk'];

describe('wait and assert on the command line', () => {
  it('waits for a window that is started meanwhile', async () => {
    const waiting = room.run(at('wait', '{"window":"Calculator"}', '--timeout-ms', '30000'));
    await room.ok('desktop', 'launch', '--name', 'desk', '--', 'gnome-calculator');
    expect(await waiting).toEqual({
      code: 0,
      out: expect.stringMatching(/^ok: satisfied after \d+\.\d s, w1 window "Calculator"\n$/) as string,
      err: '',
    });
  });

  it.each<[string[], RegExp]>([
    [['wait', 'button:7'], /^ok: satisfied after \d+\.\d s, e\d+ button "7" in w1$/],
    [['wait', '--until', '{"focused": "role=textbox && editable=true"}'], /^ok: satisfied after/],
    [['assert', 'button:7', '--window', 'Calculator'], /^ok: satisfied, e\d+ button "7" in w1$/],
    [['assert', '{"count": ["role=button && name=/^[0-9]$/", 10]}'], /^ok: satisfied, 10 matches$/],
    [['assert', '{"not": {"window": "Mousepad"}}'], /^ok: satisfied$/],
  ])('%j holds', async (words, text) => {
    const { code, out, err } = await room.run(at(...words));
    expect([code, err]).toEqual([0, '']);
    expect(out.trim()).toMatch(text);
  });

  it('gives programs the same as JSON', async () => {
    expect(await room.json(...at('wait', 'button:7'))).toMatchObject({
      schema: 1,
      satisfied: true,
      seen: { condition: 'exists', matches: 1, element: { role: 'button', name: '7', window: 'w1' } },
    });
  });

  it.each<[string[], 1 | 2, RegExp]>([
    [
      ['wait', 'button:77', '--timeout-ms', '200'],
      1,
      /^failed: timeout\. button:77 does not hold after \d+ ms: nothing/,
    ],
    [['assert', 'button:77'], 1, /^failed: verify_failed\. button:77 does not hold: nothing matches\./],
    [['assert', '{"windowClosed":"Calculator"}'], 1, /does not hold: w1 window "Calculator"\./],
    [['assert', '{"stableMs":500}'], 2, /ui_assert checks once, and stableMs is about a period of time/],
    [['wait', '{window}'], 2, /starts with \{ but is not valid JSON/],
    [['wait', '{"windw":"x"}'], 2, /There is no condition "windw"[^]*did you mean window\?/],
    [['wait', 'nmae=7'], 2, /unknown key "nmae"[^]*\^\^\^\^/],
    [['wait'], 2, /ui_wait needs until/],
    [['wait', 'button:7', '--timeout-ms', 'soon'], 2, /whole number/],
  ])('%j ends with %d', async (words, exit, message) => {
    const { code, out, err } = await room.run(at(...words));
    expect([code, out]).toEqual([exit, '']);
    expect(err).toMatch(message);
  });

  it('ends when the user interrupts it, and nothing stays behind', async () => {
    const { child, said } = room.start(...at('wait', 'button:77', '--timeout-ms', '600000'));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    // It is connected once the host has had its question; a second command answers after that.
    await until('the wait to run', () => room.processes().some(({ pid }) => pid === child.pid));
    await room.ok(...at('list-windows'));
    child.kill('SIGINT');
    expect(await ended).not.toBe(0);
    expect(said()).not.toMatch(/satisfied/);
    expect(await room.ok(...at('assert', 'button:7'))).toMatch(/^ok: satisfied/);
  });
});
