import { describe, expect, test } from 'vitest';
import { BUTTON_RELEASE, fakeMotion, KEY_PRESS, KEY_RELEASE, MOTION } from './xtest-requests.js';
import { UndoList } from './undo-list.js';

const XTEST = 132;
const XKB = 135;
const BACK = fakeMotion({ xtest: XTEST, xkb: XKB }, 1, 40, 50);
const list = (): UndoList => new UndoList({ xtest: XTEST, xkb: XKB });

/** What requests say: `key up 38`, `button up 1`, `locks 2 of layout 1`, `symbols of 97: 0`. */
function read(bytes: Buffer): string[] {
  const words: Record<number, string> = {
    [KEY_PRESS]: 'key down',
    [KEY_RELEASE]: 'key up',
    [BUTTON_RELEASE]: 'button up',
    [MOTION]: 'motion',
  };
  const said: string[] = [];
  for (let at = 0; at < bytes.length; at += 4 * bytes.readUInt16LE(at + 2)) {
    if (bytes[at] === XTEST && bytes[at + 4] === MOTION) said.push(`motion ${bytes.readInt16LE(at + 24)}`);
    else if (bytes[at] === XTEST) said.push(`${words[bytes[at + 4]!]} ${bytes[at + 5]}`);
    else if (bytes[at] === XKB) said.push(`locks ${bytes[at + 7]} of layout ${bytes[at + 9]}`);
    else said.push(`symbols of ${bytes[at + 4]}: ${bytes.readUInt32LE(at + 8)}`);
  }
  return said;
}

describe('what has to be undone', () => {
  test('nothing at first', () => {
    expect(list().undo).toEqual({ now: '', again: '', later: '' });
  });

  test('keys, buttons and locks at once, symbols later', () => {
    const undo = list();
    undo.addKeys([38, 50, 38]);
    undo.addButton(1);
    undo.setLocks({ mods: 2, group: 1 });
    undo.addSymbols(97, [7, 7]);
    undo.addSymbols(97, [8, 8]);
    expect(read(undo.now)).toEqual(['key up 38', 'key up 50', 'button up 1', 'locks 2 of layout 1']);
    expect(read(undo.later)).toEqual(['symbols of 97: 7']);
  });

  test('what is dragged goes back to where it began before it is let go', () => {
    const undo = list();
    undo.addButton(1, BACK);
    expect(read(undo.now)).toEqual(['motion 40', 'button up 1']);
    expect(undo.released()).toBe(true);
    expect(undo.now).toHaveLength(0);
  });

  test('what an app has dragged and dropped is called off before it is let go', () => {
    const undo = list();
    undo.callOffWith(9);
    undo.addButton(1, BACK);
    expect(read(undo.now)).toEqual(['motion 40', 'button up 1']);
    undo.callOffWith(9);
    expect(read(undo.now)).toEqual(['key down 9', 'key up 9', 'button up 1']);
    // Pressed twice the key would close the dialog that the drag was in.
    expect(read(Buffer.from(undo.undo.again, 'base64'))).toEqual(['motion 40', 'button up 1']);
    expect(undo.released()).toBe(true);
    undo.addButton(1);
    expect(read(undo.now)).toEqual(['button up 1']);
    expect(undo.released()).toBe(false);
  });

  test('what is dragged is called off once', () => {
    const undo = list();
    undo.addButton(1, BACK);
    undo.callOffWith(9);
    expect(undo.calledOff()).toBe(true);
    expect(read(undo.now)).toEqual(['button up 1']);
    expect(undo.calledOff()).toBe(false);
  });

  test('what is up again is off the list, symbols stay on it until they are restored', () => {
    const undo = list();
    undo.addKeys([38]);
    undo.addSymbols(97, []);
    undo.released();
    expect(undo.now).toHaveLength(0);
    expect(read(undo.later)).toEqual(['symbols of 97: 0']);
    undo.dropSymbols([97]);
    expect(undo.undo).toEqual({ now: '', again: '', later: '' });
  });
});
