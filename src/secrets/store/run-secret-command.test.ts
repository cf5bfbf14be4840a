import { afterEach, expect, test, vi } from 'vitest';
import { endGroup } from './run-secret-command.js';
import { checkedText } from './secret-fault.js';

afterEach(() => vi.restoreAllMocks());

const RUNNING = { pid: 71, exitCode: null, signalCode: null };
const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

test.each<[string, Parameters<typeof endGroup>[0], unknown[]]>([
  ['that runs', RUNNING, [[-71, 'SIGKILL']]],
  ['that never began', { ...RUNNING, pid: undefined }, []],
  ['that has ended', { ...RUNNING, exitCode: 0 }, []],
  ['that was ended', { ...RUNNING, signalCode: 'SIGTERM' }, []],
])('the group of a command %s', (_, child, killed) => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  endGroup(child);
  expect(kill.mock.calls).toEqual(killed);
});

test('a group that is gone by now is as good as ended; one that cannot be ended is told', () => {
  const kill = vi.spyOn(process, 'kill');
  kill.mockImplementation(failing('ESRCH'));
  expect(() => endGroup(RUNNING)).not.toThrow();
  kill.mockImplementation(failing('EPERM'));
  expect(() => endGroup(RUNNING)).toThrow('EPERM');
});

test('what is refused is zeroed', () => {
  const bytes = Buffer.from('no\0text');
  expect(() => checkedText('it', bytes)).toThrow('it is not text');
  expect(bytes.every((byte) => byte === 0)).toBe(true);
});
