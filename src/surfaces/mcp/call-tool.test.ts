import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HostClient, RequestOptions } from '../../host/index.js';
import { callTool, type Extra } from './call-tool.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALL = { tool: 'ui_wait', args: {}, want: 'text', caller: 'mcp:1' } as const;
const CLIENT = { capabilities: undefined, printLine: () => undefined, onApprovalRequested: () => undefined };

/** A call that runs until `end`, and the progress that its client receives. */
function scene(_meta: Extra['_meta']) {
  const heard: unknown[] = [];
  let end: () => void = () => undefined;
  let counted: (done: number) => void = () => undefined;
  const request = (_: string, __: unknown, { onProgress }: RequestOptions): Promise<object> =>
    new Promise((resolve) => ([counted, end] = [onProgress!, () => resolve({})]));
  const sendNotification = async ({ params }: { params?: unknown }): Promise<void> => void heard.push(params);
  const extra = { _meta, sendNotification, signal: new AbortController().signal } as unknown as Extra;
  const call = callTool({ request } as unknown as HostClient, CALL, CLIENT, extra);
  return { heard, call, end: () => end(), count: (done: number) => counted(done) };
}

test('sends progress with a growing number every five seconds to a client that asked for it', async () => {
  const { heard, call, end, count } = scene({ progressToken: 'a' });
  vi.advanceTimersByTime(5_000);
  count(40);
  vi.advanceTimersByTime(10_000);
  end();
  await call;
  vi.advanceTimersByTime(60_000);
  expect(heard).toEqual([1, 40, 41, 42].map((progress) => ({ progressToken: 'a', progress })));
});

test('sends nothing to a client that did not ask', async () => {
  const { heard, call, end } = scene(undefined);
  vi.advanceTimersByTime(60_000);
  end();
  await call;
  expect(heard).toEqual([]);
});
