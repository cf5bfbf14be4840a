import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DBus, DBusError, Peer } from './connection.js';
import { decode, messageSize, type Incoming } from './message.js';
import { Writer } from './writer.js';

interface Received extends Incoming {
  serial: number;
}

/** The other end of a connection, controlled by the test. */
class FakePeer {
  readonly calls: Received[] = [];
  socket: Socket | undefined;
  onCall: (call: Received) => void = () => undefined;
  /** Its reply to the handshake; undefined for none. */
  greeting: string | undefined = 'OK 0123456789abcdef\r\n';
  readonly said: string[] = [];
  private buffer = Buffer.alloc(0);
  private greeted = false;

  constructor(readonly server: Server) {
    server.on('connection', (socket) => {
      this.socket = socket;
      socket.on('error', () => undefined); // The test's end of it.
      socket.on('data', (chunk) => this.hear(chunk));
    });
  }

  private hear(chunk: Buffer): void {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    if (!this.greeted) {
      const begin = this.buffer.indexOf('BEGIN\r\n');
      this.said.push(this.buffer.toString('latin1'));
      if (begin < 0) {
        if (this.greeting !== undefined) this.socket!.write(this.greeting);
        return;
      }
      this.greeted = true;
      this.buffer = this.buffer.subarray(begin + 7);
    }
    for (let size; (size = messageSize(this.buffer, 0, this.buffer.length));) {
      const whole = size.header + size.body;
      if (this.buffer.length < whole) return;
      const bytes = Buffer.from(this.buffer.subarray(0, whole));
      this.buffer = this.buffer.subarray(whole);
      const call = Object.assign(decode(bytes, size.header), { serial: bytes.readUInt32LE(8) });
      this.calls.push(call);
      this.onCall(call);
    }
  }

  send(bytes: Buffer): void {
    this.socket!.write(bytes);
  }

  answer(call: Received, text: string): void {
    this.send(answerTo(call.serial, text));
  }
}

/** A reply as bytes: a header with the serial of the call and a signature, then one string. */
function answerTo(serial: number, text: string): Buffer {
  const writer = new Writer();
  for (const byte of [0x6c, 2, 1, 1]) writer.byte(byte);
  for (const number of [0, 99, 0]) writer.uint32(number);
  writer.byte(5);
  writer.signature('u');
  writer.uint32(serial);
  writer.byte(8);
  writer.signature('g');
  writer.signature('s');
  writer.patchUint32(12, writer.at - 16);
  writer.align(8);
  const bodyAt = writer.at;
  writer.text(text);
  writer.patchUint32(4, writer.at - bodyAt);
  return writer.take();
}

const LONG = 20_000;
const call = (member = 'Ask', body = '') => ({ path: '/', interface: 'x.Y', member, signature: 's', body: [body] });
const kindOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error as DBusError).kind,
  );

let directory: string;
let peer: FakePeer;
let bus: DBus;
let address: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'dp-dbus-'));
  address = `unix:path=${directory}/socket`;
  const server = createServer();
  peer = new FakePeer(server);
  await new Promise<void>((resolve) => server.listen(join(directory, 'socket'), resolve));
});

afterEach(() => {
  bus?.close();
  peer.socket?.destroy();
  peer.server.close();
  rmSync(directory, { recursive: true, force: true });
});

const connect = async (): Promise<void> => {
  bus = await DBus.connect(address, { timeoutMs: LONG, peerToPeer: true });
};

describe('the handshake', () => {
  const refused = (options: { timeoutMs: number }) => DBus.connect(address, { ...options, peerToPeer: true });

  test('sends our uid and waits for OK before BEGIN', async () => {
    await connect();
    await bus.call(call(), 1).catch(() => undefined);
    const uid = Buffer.from(String(process.getuid!())).toString('hex');
    expect(peer.said[0]).toBe(`\0AUTH EXTERNAL ${uid}\r\n`);
  });

  test('reports that the user was rejected', async () => {
    peer.greeting = 'REJECTED EXTERNAL\r\n';
    await expect(refused({ timeoutMs: LONG })).rejects.toMatchObject({
      kind: 'unreachable',
      message: /may not connect/,
    });
  });

  test('fails if the connection is closed at once', async () => {
    peer.server.on('connection', (socket) => socket.destroy());
    await expect(refused({ timeoutMs: LONG })).rejects.toMatchObject({ kind: 'unreachable' });
  });

  test('fails on an endless reply', async () => {
    peer.greeting = 'x'.repeat(10_000);
    await expect(refused({ timeoutMs: LONG })).rejects.toMatchObject({ message: /too long/ });
  });

  test('fails without a reply', async () => {
    peer.greeting = undefined;
    await expect(refused({ timeoutMs: 50 })).rejects.toMatchObject({ message: /no answer to the handshake/ });
  });

  test('fails if there is no listener, and for an address without a socket', async () => {
    expect(await kindOf(DBus.connect('unix:path=/nowhere/bus', { timeoutMs: LONG }))).toBe('unreachable');
    expect(await kindOf(DBus.connect('tcp:host=localhost', { timeoutMs: LONG }))).toBe('unreachable');
  });
});

describe('answers', () => {
  beforeEach(connect);

  test('are matched to their calls in any order', async () => {
    peer.onCall = () => {
      if (peer.calls.length < 3) return;
      for (const one of [...peer.calls].reverse()) peer.answer(one, `to ${String(one.body()[0])}`);
    };
    const answers = await Promise.all(['a', 'b', 'c'].map((word) => bus.call(call('Ask', word), LONG)));
    expect(answers).toEqual([['to a'], ['to b'], ['to c']]);
  });

  test('arrive in pieces, or many at once', async () => {
    const answers = Promise.all(['a', 'b', 'c'].map((word) => bus.call(call('Ask', word), LONG)));
    await vi.waitFor(() => expect(peer.calls).toHaveLength(3));
    const bytes = Buffer.concat(peer.calls.map((one) => answerTo(one.serial, 'é'.repeat(500))));
    for (let at = 0; at < bytes.length; at += 7) {
      peer.send(bytes.subarray(at, at + 7));
      await turn();
    }
    expect(await answers).toEqual(Array.from({ length: 3 }, () => ['é'.repeat(500)]));
  });

  test('without a call are ignored, duplicates too', async () => {
    peer.onCall = (one) => {
      peer.send(answerTo(4_000_000, 'to no call'));
      peer.answer(one, 'first');
      peer.answer(one, 'second');
    };
    expect(await bus.call(call(), LONG)).toEqual(['first']);
    expect(await bus.call(call(), LONG)).toEqual(['first']);
  });

  test('that are too large are skipped, and the connection stays open', async () => {
    const huge = 17 * 1024 * 1024;
    peer.onCall = (one) => {
      if (one.member === 'Small') return peer.answer(one, 'small');
      const whole = answerTo(one.serial, '');
      whole.writeUInt32LE(huge, 4);
      const head = whole.subarray(0, whole.length - 5);
      peer.send(head);
      // In parts, so that each of many reads skips a part; the following message shares bytes with its end.
      for (let sent = 0; sent < huge; sent += 1 << 20) peer.send(Buffer.alloc(Math.min(1 << 20, huge - sent), 0x6c));
    };
    const big = kindOf(bus.call(call('Big'), LONG));
    const small = bus.call(call('Small'), LONG);
    expect(await big).toBe('too-big');
    expect(await small).toEqual(['small']);
  });

  test('that do not match their signature fail alone', async () => {
    peer.onCall = (one) => {
      const bytes = answerTo(one.serial, 'text');
      if (one.member === 'Bad') bytes.writeUInt32LE(60_000, bytes.length - 9);
      peer.send(bytes);
    };
    expect(await kindOf(bus.call(call('Bad'), LONG))).toBe('garbage');
    expect(await bus.call(call('Good'), LONG)).toEqual(['text']);
  });
});

describe('a call that cannot be encoded', () => {
  beforeEach(connect);

  test('fails alone', async () => {
    peer.onCall = (one) => peer.answer(one, 'fine');
    expect(await kindOf(bus.call({ ...call(), body: [] }, LONG))).toBe('bad-call');
    expect(await bus.call(call(), LONG)).toEqual(['fine']);
  });
});

describe('silence', () => {
  beforeEach(connect);

  test('ends a call, not the connection', async () => {
    peer.onCall = (one) => one.member === 'Answered' && peer.answer(one, 'yes');
    expect(await kindOf(bus.call(call('Silent'), 60))).toBe('timeout');
    expect(await bus.call(call('Answered'), LONG)).toEqual(['yes']);
  });

  test('ignores a reply that comes too late', async () => {
    expect(await kindOf(bus.call(call('Late'), 60))).toBe('timeout');
    peer.answer(peer.calls[0]!, 'too late');
    peer.onCall = (one) => peer.answer(one, 'yes');
    expect(await bus.call(call(), LONG)).toEqual(['yes']);
  });

  test('does not count a slow peer with a moving queue as silent', async () => {
    const limits = { silenceMs: 1000, endsAt: performance.now() + LONG, peer: new Peer() };
    const queue: Received[] = [];
    peer.onCall = (one) => queue.push(one);
    const slowly = setInterval(() => {
      const next = queue.shift();
      if (next) peer.answer(next, 'at last');
    }, 60);
    // The last call waits longer than the allowed silence.
    const answers = Array.from({ length: 20 }, () => bus.call(call(), limits));
    expect(await Promise.all(answers)).toHaveLength(20);
    clearInterval(slowly);
  });

  test('is distinguished from an ended deadline while the peer answers', async () => {
    peer.onCall = (one) => one.member === 'Answered' && peer.answer(one, 'yes');
    const now = performance.now();
    const limits = { silenceMs: LONG, endsAt: now + 300, startedAt: now, peer: new Peer() };
    await bus.call(call('Answered'), { ...limits, endsAt: now + LONG });
    expect(await kindOf(bus.call(call('Silent'), limits))).toBe('late');
    // The deadline has passed: no call is sent any more.
    const sent = peer.calls.length;
    expect(await kindOf(bus.call(call('Answered'), limits))).toBe('late');
    expect(peer.calls).toHaveLength(sent);
    const silent = { ...limits, startedAt: performance.now(), endsAt: performance.now() + 60 };
    expect(await kindOf(bus.call(call('Silent'), silent))).toBe('timeout');
  });

  test('of one peer also rejects the calls queued behind it', async () => {
    const limits = { silenceMs: 60, endsAt: performance.now() + LONG, peer: new Peer() };
    const kinds = await Promise.all(Array.from({ length: 500 }, () => kindOf(bus.call(call(), limits))));
    expect(new Set(kinds)).toEqual(new Set(['timeout']));
    expect(limits.peer).toMatchObject({ inFlight: 0, waiting: [] });
  });
});

describe('the limit of calls in flight', () => {
  const WINDOW = 400;
  let limits: { silenceMs: number; endsAt: number; peer: Peer };

  beforeEach(async () => {
    await connect();
    limits = { silenceMs: LONG, endsAt: performance.now() + LONG, peer: new Peer() };
  });

  /** Resolves when the peer has everything sent so far: a call to another peer does not wait in the queue. */
  const sent = async (name: string): Promise<Received[]> => {
    bus.call(call(name), LONG).catch(() => undefined);
    await vi.waitFor(() => expect(peer.calls.some((one) => one.member === name)).toBe(true));
    return peer.calls.filter((one) => one.member === 'Ask');
  };

  test('queues calls beyond the limit, sends the newest first, and answers all in the end', async () => {
    const answers = Promise.all(Array.from({ length: 1000 }, (_, i) => bus.call(call('Ask', String(i)), limits)));
    const first = await sent('Barrier');
    expect(first).toHaveLength(WINDOW);
    peer.answer(first[0]!, '0');
    await vi.waitFor(() => expect(limits.peer.waiting).toHaveLength(599));
    const then = await sent('SecondBarrier');
    expect(then).toHaveLength(WINDOW + 1);
    expect(then.at(-1)!.body()).toEqual(['999']);
    peer.onCall = (one) => peer.answer(one, String(one.body()[0]));
    for (const one of then.slice(1)) peer.answer(one, String(one.body()[0]));
    expect(await answers).toEqual(Array.from({ length: 1000 }, (_, i) => [String(i)]));
    expect(limits.peer).toMatchObject({ inFlight: 0, waiting: [] });
  });

  test('gives the slot of a bad call to the next call', async () => {
    const answers = Array.from({ length: WINDOW }, () => bus.call(call(), limits));
    const good = bus.call(call('Ask', 'good'), limits);
    const bad = kindOf(bus.call({ ...call(), body: [] }, limits));
    const [first, ...others] = await sent('Barrier');
    peer.answer(first!, 'fine');
    expect(await bad).toBe('bad-call');
    expect((await sent('SecondBarrier')).at(-1)!.body()).toEqual(['good']);
    for (const one of [...others, peer.calls.find((received) => received.body()[0] === 'good')!]) {
      peer.answer(one, 'fine');
    }
    expect(await good).toEqual(['fine']);
    await Promise.all(answers);
  });
});

describe('the end of a connection', () => {
  beforeEach(connect);

  const ends: [string, () => void, string][] = [
    ['bytes that are not a message', () => peer.send(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')), 'garbage'],
    ['the other side closes', () => peer.socket!.destroy(), 'closed'],
    ['we close', () => bus.close(), 'closed'],
  ];
  test.each(ends)('%s: every call fails, pending and later ones', async (_, end, kind) => {
    const closed = new Promise<DBusError>((resolve) => bus.onClose(resolve));
    const limits = { silenceMs: LONG, endsAt: performance.now() + LONG, peer: new Peer() };
    const pending = Array.from({ length: 500 }, () => kindOf(bus.call(call(), limits)));
    await vi.waitFor(() => expect(peer.calls.length).toBeGreaterThan(0));
    end();
    expect(new Set(await Promise.all(pending))).toEqual(new Set([kind]));
    expect((await closed).kind).toBe(kind);
    expect(bus.closed).toBe(true);
    expect(await kindOf(bus.call(call(), LONG))).toBe(kind);
    const closedAgain = new Promise<DBusError>((resolve) => bus.onClose(resolve));
    expect((await closedAgain).kind).toBe(kind);
  });

  test('can be closed twice', () => {
    const onClose = vi.fn();
    bus.onClose(onClose);
    bus.close();
    bus.close();
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
