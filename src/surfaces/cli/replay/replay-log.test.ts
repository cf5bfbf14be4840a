import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordedLog, type RecordedLog } from '../../../../tests/scenes/recorded-log.js';
import { currentLog } from '../../../audit/index.js';
import { createContext } from '../context.js';
import { createProgram } from '../program.js';

let log: RecordedLog;
let { env, places } = {} as RecordedLog;
beforeEach(async () => {
  log = await recordedLog();
  ({ env, places } = log);
});
afterEach(() => log.remove());

async function run(...words: string[]): Promise<{ out: string; err: string }> {
  const said = { out: '', err: '' };
  const context = createContext(new AbortController().signal, env);
  const terminal = {
    ...context.terminal,
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
  };
  await createProgram({ ...context, terminal }).parseAsync(['replay', places.logs, ...words], { from: 'user' });
  return said;
}

describe('replay', () => {
  it('lists the steps in a dry run, and those that cannot be repeated', async () => {
    const { out, err } = await run('--dry-run');
    expect(err).toBe('');
    expect(out).toMatch(/^ +5 would do +launch "mousepad" "notes.txt" "--disable-server"\n/);
    expect(out).toMatch(/\n +\d+ left out +.*: it was refused \(policy_denied, rule \S+\)\n/);
    expect(out).toMatch(/\n +16 cannot +put 3 into .*: it is unknown whether it was done\n/);
    expect(out).toMatch(/Dry run: nothing was done\.\n$/);
  });

  it('prints a dry run as JSON', async () => {
    const { steps, result, verified } = JSON.parse((await run('--dry-run', '--json')).out) as {
      steps: { number: number; result: string; args?: object }[];
      result: string;
      verified: { ok: boolean };
    };
    expect({ result, ok: verified.ok }).toEqual({ result: 'planned', ok: true });
    expect(steps[0]).toMatchObject({ number: 5, tool: 'ui_launch', result: 'not done', then: { status: 'ok' } });
  });

  it('refuses a log with gaps and names what is missing', async () => {
    await expect(run()).rejects.toMatchObject({
      code: 'bad_arguments',
      message: 'Nothing was done: step 16 cannot be repeated: it is unknown whether it was done.',
      hint: expect.stringContaining('--keep-going') as string,
    });
  });

  it('refuses a log that was changed', async () => {
    appendFileSync(currentLog(places), '{"kind":"intent"}\n');
    await expect(run('--to', '5')).rejects.toMatchObject({
      message: expect.stringMatching(/^Nothing was done: the log does not verify/) as string,
    });
    expect((await run('--to', '5', '--dry-run')).err).toContain('The log does not verify:');
  });

  it.each([
    ['before its first act', ['--to', '2']],
    ['after its end', ['--from', '900']],
    ['of an unknown session', ['--session', 'absent']],
  ])('reports that there is nothing to replay: %s', async (_, words) => {
    await expect(run(...words)).rejects.toMatchObject({
      message: 'This part of the log contains no act to replay.',
    });
  });

  it('connects to the desktop when the log is complete', async () => {
    await expect(run('--to', '5', '--desktop', 'nowhere')).rejects.toMatchObject({ code: 'driver_unavailable' });
  });
});
