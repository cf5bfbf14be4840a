import { expect, test } from 'vitest';
import { socketPath } from './connection.js';

test.each([
  ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
  ['unix:path=/run/user/1000/bus,guid=0123', '/run/user/1000/bus'],
  ['unix:guid=0123,path=/tmp/x', '/tmp/x'],
  ['unix:abstract=/tmp/dbus-abc,guid=1', '\0/tmp/dbus-abc'],
  ['unix:path=/tmp/with%20space%2c%3B', '/tmp/with space,;'],
  ['unix:path=/tmp/%c3%A4%25', '/tmp/ä%'],
  ['tcp:host=localhost,port=1;unix:path=/tmp/second', '/tmp/second'],
  ['unix:runtime=yes;unix:path=/tmp/second', '/tmp/second'],
  ['unix:path=/tmp/a=b', '/tmp/a=b'],
  ['tcp:host=localhost,port=1', undefined],
  ['unix:tmpdir=/tmp', undefined],
  ['', undefined],
  ['nonsense', undefined],
])('resolves %j to %j', (address, path) => expect(socketPath(address)).toBe(path));
