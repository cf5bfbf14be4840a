import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressLine, createTerminal } from './terminal.js';

let written: string;
const terminal = (isTTY: boolean, env = {}) =>
  createTerminal({ write: () => true }, { isTTY, write: (text) => (written += text) }, { NO_COLOR: '1', ...env });

beforeEach(() => {
  written = '';
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('ProgressLine', () => {
  it('shows nothing for a quick read', () => {
    const line = new ProgressLine(terminal(true), 'snapshot');
    line.update(100);
    line.clear();
    expect(written).toBe('');
  });

  it('rewrites the line at intervals and removes it at the end', () => {
    const line = new ProgressLine(terminal(true), 'snapshot');
    vi.advanceTimersByTime(400);
    line.update(1200);
    line.update(1300);
    vi.advanceTimersByTime(200);
    line.update(2000);
    line.clear();
    line.clear();
    expect(written).toBe('\r\x1b[Ksnapshot: 1,200 elements read …\r\x1b[Ksnapshot: 2,000 elements read …\r\x1b[K');
  });

  it('is silent while a prompt uses the line', async () => {
    const line = new ProgressLine(terminal(true), 'type');
    vi.advanceTimersByTime(400);
    line.update(10);
    const shown = written;
    await line.hideWhile(async () => {
      expect(written).toBe(`${shown}\r\x1b[K`);
      vi.advanceTimersByTime(400);
      line.update(20);
      expect(written).toBe(`${shown}\r\x1b[K`);
    });
    line.update(30);
    expect(written).toContain('30 elements');
    await expect(line.hideWhile(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    vi.advanceTimersByTime(400);
    line.update(40);
    expect(written).toContain('40 elements');
  });

  it.each([
    [false, {}],
    [true, { TERM: 'dumb' }],
  ])('writes nothing where it cannot be seen (terminal %s, %j)', (isTTY, env) => {
    const line = new ProgressLine(terminal(isTTY, env), 'snapshot');
    vi.advanceTimersByTime(5_000);
    line.update(5);
    line.clear();
    expect(written).toBe('');
  });
});
