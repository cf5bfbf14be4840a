import { describe, expect, test } from 'vitest';
import { BUTTON_RELEASE, fakeMotion, KEY_PRESS, KEY_RELEASE, MOTION } from './xtest-requests.js';
import { UndoList } from './undo-list.js';

const XTEST = 132;
const XKB = 135;
const BACK = fakeMotion({ xtest: XTEST, xkb: XKB }, 1, 40, 50);
const list = (): UndoList => new UndoList({ xtest: XTEST, xkb: XKB });

/** Decodes requests to text: `key up 38`, `button up 1`, `locks 2 of layout 1`, `symbols of 97: 0`. */
function read(bytes: Buffer): string[] {
  const words: Record<number, string> = {
    [KEY_PRESS]: 'key down',
    [KEY_RELEASE]: 'key up',
    [BUTTON_RELEASE]: 'button up',
    [MOTION]: 'motion',
  };
  const message: string[] = [];
  for (let at = 0; at < bytes.length; at += 4 * bytes.readUInt16LE(at + 2)) {
    if (bytes[at] === XTEST && bytes[at + 4] === MOTION) message.push(`motion ${bytes.readInt16LE(at + 24)}`);
    else if (bytes[at] === XTEST) message.push(`${words[bytes[at + 4]!]} ${bytes[at + 5]}`);
    else if (bytes[at] === XKB) message.push(`locks ${bytes[at + 7]} of layout ${bytes[at + 9]}`);
    else message.push(`symbols of ${bytes[at + 4]}: ${bytes.readUInt32LE(at + 8)}`);
  }
  return message;
}

describe('undo list', () => {
  test('is empty at first', () => {
    expect(list().undo).toEqual({ now: '', again: '', later: '' });
  });

  test('restores keys, buttons and locks at once, keysyms later', () => {
    const undo = list();
    undo.addKeys([38, 50, 38]);
    undo.addButton(1);
    undo.setLocks({ mods: 2, group: 1 });
    undo.addFormerKeysyms(97, [7, 7]);
    undo.addFormerKeysyms(97, [8, 8]);
    expect(read(undo.now)).toEqual(['key up 38', 'key up 50', 'button up 1', 'locks 2 of layout 1']);
    expect(read(undo.later)).toEqual(['symbols of 97: 7']);
  });

  test('moves a drag back to its origin before releasing the button', () => {
    const undo = list();
    undo.addButton(1, BACK);
    expect(read(undo.now)).toEqual(['motion 40', 'button up 1']);
    expect(undo.markReleased()).toBe(true);
    expect(undo.now).toHaveLength(0);
  });

  test('cancels a drag and drop before releasing the button', () => {
    const undo = list();
    undo.setDragCancelKey(9);
    undo.addButton(1, BACK);
    expect(read(undo.now)).toEqual(['motion 40', 'button up 1']);
    undo.setDragCancelKey(9);
    expect(read(undo.now)).toEqual(['key down 9', 'key up 9', 'button up 1']);
    // Pressing the key twice would close the dialog that the drag was in.
    expect(read(Buffer.from(undo.undo.again, 'base64'))).toEqual(['motion 40', 'button up 1']);
    expect(undo.markReleased()).toBe(true);
    undo.addButton(1);
    expect(read(undo.now)).toEqual(['button up 1']);
    expect(undo.markReleased()).toBe(false);
  });

  test('cancels a drag only once', () => {
    const undo = list();
    undo.addButton(1, BACK);
    undo.setDragCancelKey(9);
    expect(undo.clearDrag()).toBe(true);
    expect(read(undo.now)).toEqual(['button up 1']);
    expect(undo.clearDrag()).toBe(false);
  });

  test('released keys leave the list; keysyms stay until they are restored', () => {
    const undo = list();
    undo.addKeys([38]);
    undo.addFormerKeysyms(97, []);
    undo.markReleased();
    expect(undo.now).toHaveLength(0);
    expect(read(undo.later)).toEqual(['symbols of 97: 0']);
    undo.dropFormerKeysyms([97]);
    expect(undo.undo).toEqual({ now: '', again: '', later: '' });
  });
});
