import { describe, expect, test } from 'vitest';
import { decode, encodeCall, ERROR, messageSize, REPLY, SIGNAL, type Incoming } from './message.js';

// Created by GLib (Gio.DBusMessage.to_blob), so that our reader is checked against another writer.
const GLIB: Record<string, [little: string, big: string]> = {
  reply: [
    '6c0201013c000000e80300002800000007017300040000003a312e35000000000801670008766478746e7179620000000501750007000000017300000c0000004772c3b6c39f6520f09f988000000000000000000000f83ffbffffffffffffffffffffffffff1f00feffffffc800000001000000',
    '420201010000003c000003e80000002807017300000000043a312e35000000000801670008766478746e7179620000000501750000000007017300000000000c4772c3b6c39f6520f09f9880000000003ff8000000000000fffffffffffffffb001ffffffffffffffffeffffc800000000000001',
  ],
  nested: [
    '6c0201017c0000000300000020000000080167000e617b73767d6128736f2961756179000000000005017500070000003000000000000000020000006964000169000000ffffffff03000000626f78000628696969692900010000000200000003000000000000802a00000000000000040000003a312e3500000000040000002f612f6200000000040000003a312e3600000000010000002f00000008000000ffffffff0000000000000000',
    '420201010000007c0000000300000020080167000e617b73767d6128736f2961756179000000000005017500000000070000003000000000000000026964000169000000ffffffff00000003626f78000628696969692900000000010000000200000003800000000000002a00000000000000043a312e3500000000000000042f612f6200000000000000043a312e3600000000000000012f00000000000008ffffffff0000000000000000',
  ],
  error: [
    '6c03010113000000040000004800000004017300280000006f72672e667265656465736b746f702e444275732e4572726f722e556e6b6e6f776e4d6574686f640000000000000000080167000173000005017500070000000e0000004e6f2073756368206d6574686f6400',
    '4203010100000013000000040000004804017300000000286f72672e667265656465736b746f702e444275732e4572726f722e556e6b6e6f776e4d6574686f640000000000000000080167000173000005017500000000070000000e4e6f2073756368206d6574686f6400',
  ],
  signal: [
    '6c04010120000000050000008500000007017300040000003a312e390000000001016f001c0000002f6f72672f613131792f61747370692f61636365737369626c652f3300000000020173001b0000006f72672e613131792e61747370692e4576656e742e4f626a6563740000000000080167000973696976617b73767d0000030173000c00000053746174654368616e6765640000000007000000666f6375736564000100000000000000016900000000000000000000',
    '4204010100000020000000050000008507017300000000043a312e390000000001016f000000001c2f6f72672f613131792f61747370692f61636365737369626c652f3300000000020173000000001b6f72672e613131792e61747370692e4576656e742e4f626a6563740000000000080167000973696976617b73767d0000030173000000000c53746174654368616e6765640000000000000007666f6375736564000000000100000000016900000000000000000000',
  ],
  empty: ['6c0201010000000006000000080000000501750007000000', '420201010000000000000006000000080501750000000007'],
};

function read(bytes: Buffer): Incoming {
  const size = messageSize(bytes, 0, bytes.length)!;
  expect(size.header + size.body).toBe(bytes.length);
  return decode(bytes, size.header);
}

describe.each([
  ['little', 0],
  ['big', 1],
] as const)('messages from GLib, %s-endian', (_, order) => {
  const message = (name: string): Incoming => read(Buffer.from(GLIB[name]![order], 'hex'));

  test('a reply with every kind of number', () => {
    const reply = message('reply');
    expect(reply).toMatchObject({ type: REPLY, replySerial: 7, signature: 'vdxtnqyb' });
    expect(reply.body()).toEqual([
      { signature: 's', value: 'Größe 😀' },
      1.5,
      -5,
      9007199254740991,
      -2,
      65535,
      200,
      true,
    ]);
  });

  test('nested dictionaries, structs and arrays', () => {
    expect(message('nested').body()).toEqual([
      [
        ['id', { signature: 'i', value: -1 }],
        ['box', { signature: '(iiii)', value: [1, 2, 3, -2147483648] }],
      ],
      [
        [':1.5', '/a/b'],
        [':1.6', '/'],
      ],
      [4294967295, 0],
      [],
    ]);
  });

  test('an error', () => {
    const error = message('error');
    expect(error).toMatchObject({ type: ERROR, replySerial: 7, errorName: 'org.freedesktop.DBus.Error.UnknownMethod' });
    expect(error.body()).toEqual(['No such method']);
  });

  test('a signal', () => {
    const signal = message('signal');
    expect(signal).toMatchObject({
      type: SIGNAL,
      sender: ':1.9',
      path: '/org/a11y/atspi/accessible/3',
      interface: 'org.a11y.atspi.Event.Object',
      member: 'StateChanged',
    });
    expect(signal.body()).toEqual(['focused', 1, 0, { signature: 'i', value: 0 }, []]);
  });

  test('a reply without a body', () => {
    expect(message('empty')).toMatchObject({ type: REPLY, replySerial: 7, signature: '' });
    expect(message('empty').body()).toEqual([]);
  });
});

describe('encodeCall', () => {
  const spec = {
    destination: ':1.5',
    path: '/a',
    interface: 'org.x.Y',
    member: 'Do',
    signature: 'si',
    body: ['é', -1],
  };

  test('decodes to the encoded call', () => {
    const call = read(encodeCall(spec, 77));
    expect(call).toMatchObject({ type: 1, path: '/a', interface: 'org.x.Y', member: 'Do', signature: 'si' });
    expect(call.body()).toEqual(['é', -1]);
    expect(encodeCall(spec, 77).readUInt32LE(8)).toBe(77);
  });

  test.each([
    ['another path', { path: '/another/longer/path' }],
    ['another member', { member: 'Undo' }],
    ['another interface', { interface: 'org.x.Z' }],
    ['another signature', { signature: 'ss', body: ['a', 'b'] }],
    ['no arguments', { signature: undefined, body: undefined }],
  ])('encodes %s right after a call of the same kind', (_, change) => {
    encodeCall(spec, 1);
    const call = read(encodeCall({ ...spec, ...change }, 2));
    const { path, interface: iface, member, signature, body } = { ...spec, ...change };
    expect(call).toMatchObject({ path, interface: iface, member, signature: signature ?? '' });
    expect(call.body()).toEqual(body ?? []);
  });

  test.each([
    ['a path with a table position', { path: '/org/a11y/atspi/accessible/3#r2c1' }],
    ['a path that is not ASCII', { path: '/ä' }],
    ['no path', { path: '' }],
    ['a path that does not start at the root', { path: 'a' }],
    ['a path that ends in a slash', { path: '/a/' }],
    ['a path with an empty element', { path: '/a//b' }],
    ['a path with a line break at its end', { path: '/a\n' }],
    ['an interface of one word', { interface: 'Y' }],
    ['an interface with a dash', { interface: 'org.x-y.Y' }],
    ['an interface that is too long', { interface: `org.${'x'.repeat(252)}` }],
    ['a member with a dot', { member: 'Do.It' }],
    ['a member that starts with a digit', { member: '2Do' }],
    ['no member', { member: '' }],
    ['an invalid destination', { destination: ':1' }],
    ['an empty destination', { destination: '' }],
    ['an invalid object path among the arguments', { signature: 'o', body: ['/a#b'] }],
    ['an invalid object path in a variant', { signature: 'v', body: [{ signature: 'o', value: '' }] }],
    ['a string with a NUL in it', { signature: 's', body: ['a\0b'] }],
  ])('refuses %s, also right after a call of the same kind', (_, change) => {
    encodeCall(spec, 1);
    for (let i = 0; i < 2; i++)
      expect(() => encodeCall({ ...spec, ...change }, 2)).toThrow(/^(invalid|a string contains) /);
    expect(read(encodeCall(spec, 3))).toMatchObject({ path: '/a', member: 'Do' });
  });

  test.each([
    ['the root', { path: '/' }],
    ['a path as in GTK 4', { path: '/org/gtk/application/a11y/1f_2' }],
    ['a well-known name', { destination: 'org.a11y.atspi.Registry' }],
    ['an unusual unique name', { destination: ':1.2-x.3' }],
  ])('takes %s', (_, change) => {
    expect(read(encodeCall({ ...spec, ...change }, 2))).toMatchObject({ member: 'Do' });
  });

  test('names the destination on a bus, and none peer to peer', () => {
    expect(encodeCall(spec, 1).includes(':1.5')).toBe(true);
    expect(encodeCall({ ...spec, destination: undefined }, 1).includes(':1.5')).toBe(false);
    expect(encodeCall({ ...spec, destination: ':1.66' }, 1).includes(':1.66')).toBe(true);
  });

  test('stays correct after very many kinds of calls', () => {
    for (let i = 0; i < 1200; i++) {
      const call = read(encodeCall({ ...spec, destination: `:1.${i}` }, 1));
      expect(call).toMatchObject({ member: 'Do', path: '/a' });
    }
    expect(encodeCall({ ...spec, destination: ':1.3' }, 1).includes(':1.3\0')).toBe(true);
  });
});

describe('bytes that are not a message', () => {
  const good = Buffer.from(GLIB.signal![0], 'hex');
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(good);
    change(bytes);
    return bytes;
  };

  test('waits if there are too few bytes to decide', () => expect(messageSize(good, 0, 15)).toBeUndefined());

  test.each([
    ['a first byte of neither byte order', changed((b) => (b[0] = 0x47)), /not a D-Bus message/],
    ['a header of a gigabyte', changed((b) => b.writeUInt32LE(1 << 30, 12)), /header too large/],
    ['a field that extends past the message', changed((b) => b.writeUInt32LE(0xffffff, 20)), /runs past/],
    ['a field with two types', changed((b) => (b[17] = 2)), /unexpected header field/],
  ])('%s', (_, bytes, reason) =>
    expect(() => {
      const size = messageSize(bytes, 0, bytes.length)!;
      decode(bytes, size.header);
    }).toThrow(reason),
  );

  test('a body that does not match its signature fails when it is read, not before', () => {
    const bytes = Buffer.from(GLIB.error![0], 'hex');
    bytes.writeUInt32LE(5000, bytes.length - 19);
    expect(() => read(bytes).body()).toThrow(/string runs past/);
  });
});
