import { CALL_FIELDS, CAPABILITIES, type Capability, type Driver } from '../../src/drivers/contract/index.js';
import { decode, decodeError, encode, encodeError } from '../../src/drivers/protocol/index.js';
import { Deadline, type ErrorJson } from '../../src/shared/index.js';

/** A transport has none of these: they only save memory inside one process. */
const LOCAL_ONLY: ReadonlySet<string> = new Set(['releaseScreenshot']);
const REQUIRED = ['windows', 'doctor', 'close'] as const;
const STREAMS = ['events', 'userInput'] as const;
const PARTS: Readonly<Record<string, readonly string[]>> = {
  input: ['pointer', 'move', 'click', 'drag', 'wheel', 'press', 'type', 'release'],
  clipboard: ['read', 'write', 'owner'],
};

type Method = (...args: unknown[]) => unknown;
type Members = Record<string, Method | undefined>;

interface Request {
  args: unknown[];
  deadlineMs?: number;
}

/**
 * The same driver behind JSON text: every request, answer, error and event is encoded and decoded, as if the driver ran
 * in another process. Of a call only its deadline, its cancellation and its progress pass, as messages of their own.
 */
export function jsonDriver<D extends Driver>(driver: D): D {
  const proxy: Record<string, unknown> = {
    describe: () => {
      const description = text(driver.describe());
      for (const name of LOCAL_ONLY) {
        if ((CAPABILITIES as readonly string[]).includes(name))
          description.capabilities[name as Capability] = { can: 'no', reason: 'The driver runs in another process.' };
      }
      return description;
    },
  };
  const methods = CAPABILITIES.filter((name) => typeof driver[name as keyof Driver] === 'function');
  for (const name of new Set<string>([...REQUIRED, ...methods])) {
    if (!LOCAL_ONLY.has(name) && !(STREAMS as readonly string[]).includes(name))
      proxy[name] = remoteCall(driver as unknown as Members, name);
  }
  for (const name of STREAMS) if (driver[name]) proxy[name] = remoteStream(driver as unknown as Members, name);
  for (const [part, names] of Object.entries(PARTS)) {
    const owner = driver[part as 'input' | 'clipboard'] as unknown as Members | undefined;
    if (!owner) continue;
    const has = names.filter((name) => owner[name] !== undefined);
    proxy[part] = Object.fromEntries(has.map((name) => [name, remoteCall(owner, name)]));
  }
  if (driver.lost) proxy.lost = driver.lost.then((reason) => text({ reason }).reason);
  return proxy as unknown as D;
}

/** The value as the other side gets it. */
function text<T extends object>(message: T): T {
  return decode(encode(message)) as T;
}

function remoteCall(owner: Members, name: string): Method {
  return async (...given) => {
    const { request, signal, onProgress } = split(given);
    const { args, deadlineMs } = text(request);
    const cancel = new AbortController();
    const onAbort = (): void => cancel.abort();
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const call = {
      ...(deadlineMs !== undefined && { deadline: Deadline.in(deadlineMs, cancel.signal) }),
      ...(onProgress && { onProgress: (done: number) => onProgress(text({ done }).done) }),
    };
    try {
      const result = await owner[name]!.call(owner, ...withCall(args, call));
      return text({ result }).result;
    } catch (error) {
      throw decodeError(text<{ error: ErrorJson }>({ error: encodeError(error) }).error);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  };
}

function remoteStream(owner: Members, name: string): Method {
  return (...given) => {
    const { request, signal } = split(given);
    const cancel = new AbortController();
    if (signal!.aborted) cancel.abort();
    signal!.addEventListener('abort', () => cancel.abort(), { once: true });
    const stream = owner[name]!.call(owner, ...withCall(text(request).args, { signal: cancel.signal })) as ReturnType<
      Driver['events']
    >;
    return {
      ready: stream.ready,
      async *[Symbol.asyncIterator]() {
        for await (const event of stream) yield text(event);
      },
    };
  };
}

interface Split {
  request: Request;
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
}

/** The last argument holds the fields of the call beside those of the request. */
function split(given: readonly unknown[]): Split {
  const options = given.at(-1);
  if (typeof options !== 'object' || options === null || !CALL_FIELDS.some((field) => field in options))
    return { request: { args: given.map(absent) } };
  const { deadline, onProgress, signal, ...request } = options as {
    deadline?: Deadline;
    onProgress?: (done: number) => void;
    signal?: AbortSignal;
  };
  const abort = signal ?? deadline?.signal;
  return {
    request: {
      args: [...given.slice(0, -1).map(absent), request],
      ...(deadline && { deadlineMs: deadline.remaining() }),
    },
    ...(abort && { signal: abort }),
    ...(onProgress && { onProgress }),
  };
}

/** An optional argument that is not given, such as the area of a screenshot. */
const absent = (value: unknown): unknown => (value === undefined ? null : value);
const present = (value: unknown): unknown => (value === null ? undefined : value);

function withCall(args: readonly unknown[], call: object): unknown[] {
  if (args.length === 0) return [];
  return [...args.slice(0, -1).map(present), { ...(args.at(-1) as object), ...call }];
}
