import { describe, expect, test } from 'vitest';
import type { Element, Node } from './element.js';
import { nearest } from './ref-record.js';
import { type TreeRead, Refs } from './refs.js';
import type { Role } from './roles/roles.js';
import type { WindowNode } from './snapshot.js';

function node(id: string, role: Role, name?: string, children: Node[] = [], more: Partial<Node> = {}): Node {
  return { id, role, name, states: { enabled: true, visible: true }, patterns: [], platformIds: {}, children, ...more };
}

function window(id: string, more: Partial<WindowNode> = {}): WindowNode {
  return {
    id,
    title: 'Notes',
    app: 'notes',
    pid: 10,
    role: 'window',
    visible: true,
    minimised: false,
    maximised: false,
    active: true,
    ...more,
  };
}

/** A desktop with one window that is read again and again. */
class Desk {
  readonly refs = new Refs();
  private snapshots = 0;

  read(children: Node[], more: Partial<TreeRead> = {}): Element {
    const read: TreeRead = { snapshot: `s${++this.snapshots}`, root: 'window', whole: true, ...more };
    return this.refs.adopt(node('root', 'window', 'Notes', children), 'win', read);
  }

  part(root: Node): Element {
    return this.refs.adopt(root, 'win', { snapshot: `s${++this.snapshots}`, root: 'element' });
  }
}

function refOf(root: Element, id: string): string {
  const found = find(root, (element) => element.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found.ref;
}

function find(root: Element, fits: (element: Element) => boolean): Element | undefined {
  if (fits(root)) return root;
  for (const child of root.children) {
    const found = find(child, fits);
    if (found) return found;
  }
  return undefined;
}

describe('outside items', () => {
  test('refs are assigned in tree order and kept from snapshot to snapshot', () => {
    const desk = new Desk();
    const tree = [node('a', 'toolbar', 'T', [node('b', 'button', 'B')]), node('c', 'button', 'C')];
    const first = desk.read(tree);
    expect([first.ref, first.children[0]!.ref, first.children[0]!.children[0]!.ref, first.children[1]!.ref]).toEqual([
      'w1',
      'e1',
      'e2',
      'e3',
    ]);
    expect(desk.read(tree)).toEqual(first);
  });

  test('a changed name keeps the ref, and the record has the name that the caller last saw', () => {
    const desk = new Desk();
    const ref = refOf(desk.read([node('b', 'button', 'Undo Typing')]), 'b');
    expect(refOf(desk.read([node('b', 'button', 'Undo Paste')], { shown: false }), 'b')).toBe(ref);
    expect(desk.refs.get(ref)).toMatchObject({ name: 'Undo Typing', seenIn: 's1' });
    expect(refOf(desk.read([node('b', 'button', 'Undo Paste')]), 'b')).toBe(ref);
    expect(desk.refs.get(ref)).toMatchObject({ name: 'Undo Paste', firstSeenIn: 's1', seenIn: 's3', stale: false });
  });

  test('a changed role makes a new ref, for good', () => {
    const desk = new Desk();
    const before = refOf(desk.read([node('b', 'button', 'Go')]), 'b');
    const after = refOf(desk.read([node('b', 'togglebutton', 'Go')]), 'b');
    expect(after).not.toBe(before);
    expect(desk.refs.lookup(before)).toMatchObject({
      state: 'stale',
      record: { role: 'button', name: 'Go', goneSince: 's2' },
    });
    expect(refOf(desk.read([node('b', 'button', 'Go')]), 'b')).not.toBe(before);
    expect(desk.refs.lookup(before).state).toBe('stale');
  });

  test('an element that disappeared keeps its ref when it comes back', () => {
    const desk = new Desk();
    const ref = refOf(desk.read([node('b', 'button', 'Go'), node('c', 'button', 'X')]), 'b');
    desk.read([node('c', 'button', 'X')]);
    desk.read([node('c', 'button', 'X')]);
    expect(desk.refs.lookup(ref)).toMatchObject({ state: 'missing', record: { goneSince: 's2', seenIn: 's1' } });
    expect(refOf(desk.read([node('b', 'button', 'Go')]), 'b')).toBe(ref);
    expect(desk.refs.lookup(ref)).toMatchObject({ state: 'here' });
    expect(desk.refs.get(ref)?.goneSince).toBeUndefined();
  });

  test('a partial or truncated read proves nothing about the rest', () => {
    const desk = new Desk();
    const ref = refOf(desk.read([node('b', 'button', 'Go'), node('c', 'group', 'G')]), 'b');
    desk.part(node('c', 'group', 'G'));
    desk.read([node('c', 'group', 'G')], { whole: false });
    expect(desk.refs.lookup(ref).state).toBe('here');
    desk.refs.gone('b', 's9');
    expect(desk.refs.lookup(ref)).toMatchObject({ state: 'missing', record: { goneSince: 's9' } });
  });

  test.each(['e1', 'e999', 'w1', 'e0', 'x1', 'e', 'e1.5', '', 'e-1'])('%s was never assigned', (ref) => {
    expect(new Refs().lookup(ref)).toEqual({ state: 'never' });
    expect(new Refs().get(ref)).toBeUndefined();
  });
});

describe('items', () => {
  const row = (widget: number, text: string): Node =>
    node(`row${widget}`, 'listitem', undefined, [
      node(`label${widget}`, 'label', text),
      node(`delete${widget}`, 'button', 'Delete', [node(`icon${widget}`, 'image')]),
    ]);
  const list = (rows: Node[]): Node[] => [node('list', 'list', 'Items', rows)];

  test('204 of 205 recycled rows are other items: all their refs are new, the old ones are stale', () => {
    const desk = new Desk();
    const texts = (shift: number): string[] =>
      Array.from({ length: 205 }, (_, i) => (i === 100 ? 'item 100' : `item ${i + shift}`));
    const before = desk.read(list(texts(0).map((text, i) => row(i, text))));
    const after = desk.read(list(texts(1_000).map((text, i) => row(i, text))));
    for (let i = 0; i < 205; i++) {
      for (const id of [`row${i}`, `label${i}`, `delete${i}`, `icon${i}`]) {
        if (i === 100) expect(refOf(after, id)).toBe(refOf(before, id));
        else expect(desk.refs.lookup(refOf(before, id)).state).toBe('stale');
      }
    }
    expect(desk.refs.lookup(refOf(before, 'delete82'))).toEqual({
      state: 'stale',
      record: expect.objectContaining({
        role: 'button',
        name: 'Delete',
        goneSince: 's2',
        item: { id: 'row82', role: 'listitem', name: 'item 82', text: 'item 82' },
      }) as unknown,
    });
    expect(refOf(after, 'list')).toBe(refOf(before, 'list'));
  });

  test('after scrolling back, an item is found by its text, not by its old ref', () => {
    const desk = new Desk();
    const old = refOf(desk.read(list([row(1, 'Ada'), row(2, 'Bob')])), 'delete1');
    desk.read(list([row(1, 'Cleo'), row(2, 'Dan')]));
    const now = desk.read(list([row(1, 'Bob'), row(2, 'Ada')]));
    expect(desk.refs.lookup(old).state).toBe('stale');
    const [found, ...others] = nearest(desk.refs.get(old)!, now);
    expect(found).toMatchObject({ element: { id: 'delete2' }, item: { role: 'listitem', name: 'Ada' } });
    expect(others).toEqual([]);
  });

  test('selection, focus and check marks do not make another item', () => {
    const desk = new Desk();
    const before = desk.read(list([row(1, 'Ada')]));
    const chosen = row(1, 'Ada');
    chosen.states = { enabled: true, visible: true, selected: true, focused: true, checked: true };
    expect(refOf(desk.read(list([chosen])), 'delete1')).toBe(refOf(before, 'delete1'));
  });

  test('a nested item becomes stale with the item around it', () => {
    const nested = (name: string): Node[] =>
      list([
        node('row1', 'listitem', name, [node('inner', 'list', undefined, [node('option1', 'listitem', 'Delete')])]),
      ]);
    const desk = new Desk();
    const ref = refOf(desk.read(nested('Ada')), 'option1');
    expect(desk.refs.proofOf(ref)).toBe('row1');
    expect(refOf(desk.read(nested('Bob')), 'option1')).not.toBe(ref);
  });

  test('opening a tree item does not change it', () => {
    const desk = new Desk();
    const closed = desk.read([node('tree', 'tree', 'Files', [node('t1', 'treeitem', 'src')])]);
    const open = desk.read([
      node('tree', 'tree', 'Files', [node('t1', 'treeitem', 'src', [node('t2', 'treeitem', 'a.ts')])]),
    ]);
    expect(refOf(open, 't1')).toBe(refOf(closed, 't1'));
  });

  test('a menu item is not an item: its name may change', () => {
    const desk = new Desk();
    const ref = refOf(desk.read([node('m', 'menu', 'Edit', [node('u', 'menuitem', 'Undo Typing')])]), 'u');
    expect(refOf(desk.read([node('m', 'menu', 'Edit', [node('u', 'menuitem', 'Undo Paste')])]), 'u')).toBe(ref);
  });

  test('cells without a row element are items by their row number', () => {
    const cells = (first: string, second: string): Node[] => [
      node('table', 'table', 'Files', [
        node('c1', 'cell', first, [], { cell: { row: 1, column: 1 } }),
        node('c2', 'cell', undefined, [node('check1', 'checkbox')], { cell: { row: 1, column: 2 } }),
        node('c3', 'cell', second, [], { cell: { row: 2, column: 1 } }),
        node('c4', 'cell', undefined, [node('check2', 'checkbox')], { cell: { row: 2, column: 2 } }),
      ]),
    ];
    const desk = new Desk();
    const before = desk.read(cells('a.txt', 'b.txt'));
    const after = desk.read(cells('b.txt', 'b.txt'));
    expect(refOf(after, 'check1')).not.toBe(refOf(before, 'check1'));
    expect(refOf(after, 'check2')).toBe(refOf(before, 'check2'));
    expect(desk.refs.get(refOf(before, 'check1'))?.item).toEqual({
      id: 'table',
      role: 'row',
      name: 'a.txt',
      text: 'a.txt',
    });
  });

  test('a cell of a sheet is identified by container, row and column: its content may change', () => {
    const cell = (value: string): Node =>
      node('sheet!B7', 'cell', value, [], { cell: { row: 7, column: 2, address: 'B7' } });
    const sheet = (value: string): Node[] => [node('sheet', 'sheet', 'Sheet1', [cell(value)])];
    const desk = new Desk();
    const ref = refOf(desk.read(sheet('12')), 'sheet!B7');
    expect(refOf(desk.read(sheet('13')), 'sheet!B7')).toBe(ref);
    // The same cell in a row of a range that was read.
    expect(refOf(desk.part(node('sheet!7', 'row', undefined, [cell('14')])), 'sheet!B7')).toBe(ref);
  });

  describe('reads that do not contain the whole item', () => {
    const full = list([row(1, 'Ada')]);

    test('a part of an item keeps its ref; reading the item confirms or refutes it', () => {
      const desk = new Desk();
      const ref = refOf(desk.read(full), 'delete1');
      expect(desk.part(node('delete1', 'button', 'Delete')).ref).toBe(ref);
      expect(desk.refs.proofOf(ref)).toBe('row1');
      expect(find(desk.part(row(1, 'Ada')), (element) => element.ref === ref)).toBeDefined();
      expect(find(desk.part(row(1, 'Bob')), (element) => element.ref === ref)).toBeUndefined();
      expect(desk.refs.lookup(ref).state).toBe('stale');
    });

    test('a shallow read keeps the row, unless what it contains is different', () => {
      const shallow = (name?: string): Node[] => list([node('row1', 'listitem', name, [], { unread: 2 })]);
      const desk = new Desk();
      const before = desk.read(full);
      expect(refOf(desk.read(shallow(), { whole: false }), 'row1')).toBe(refOf(before, 'row1'));
      expect(refOf(desk.read(full), 'row1')).toBe(refOf(before, 'row1'));
      expect(refOf(desk.read(shallow('Bob'), { whole: false }), 'row1')).not.toBe(refOf(before, 'row1'));
    });

    test('a ref from a shallow read gets its text at the first full read, and is bound to it from then on', () => {
      const desk = new Desk();
      const ref = refOf(desk.read(list([node('row1', 'listitem', undefined, [], { unread: 2 })])), 'row1');
      expect(refOf(desk.read(full), 'row1')).toBe(ref);
      expect(desk.refs.get(ref)?.item?.text).toBe('Ada');
      expect(refOf(desk.read(list([row(1, 'Bob')])), 'row1')).not.toBe(ref);
    });
  });
});

describe('windows', () => {
  test('keep their ref while their title changes, and lose it to another process', () => {
    const refs = new Refs();
    expect(refs.adoptWindow(window('0x1'), 's1')).toBe('w1');
    expect(refs.adoptWindow(window('0x1', { title: '*Notes' }), 's2')).toBe('w1');
    refs.adopt(node('r', 'window', 'Notes', [node('b', 'button', 'Go')]), '0x1', { snapshot: 's3', root: 'window' });
    expect(refs.adoptWindow(window('0x1', { pid: 11 }), 's4')).toBe('w2');
    expect(refs.lookup('w1')).toMatchObject({
      state: 'stale',
      record: { name: '*Notes', app: 'notes', goneSince: 's4' },
    });
    expect(refs.lookup('e1')).toMatchObject({ state: 'stale', record: { name: 'Go' } });
  });

  test('windows that are no longer listed are missing, with all their elements, until they are back', () => {
    const refs = new Refs();
    refs.adoptWindows([window('a'), window('b', { of: 'a', role: 'dialog' })], 's1');
    refs.adopt(node('r', 'dialog', 'D', [node('ok', 'button', 'OK')]), 'b', { snapshot: 's2', root: 'window' });
    expect(refs.adoptWindows([window('a')], 's3')).toEqual([{ ...window('a'), ref: 'w1' }]);
    expect(refs.lookup('w2')).toMatchObject({ state: 'missing', record: { goneSince: 's3' } });
    expect(refs.lookup('e1')).toMatchObject({ state: 'missing', record: { goneSince: 's3' } });
    const back = refs.adoptWindows([window('b', { of: 'a' }), window('a'), window('c', { of: 'unlisted' })], 's4');
    expect(back.map(({ ref, of }) => [ref, of])).toEqual([
      ['w2', 'w1'],
      ['w1', undefined],
      ['w3', undefined],
    ]);
  });

  test("a window's root element has the window's ref, also when it is read as an element", () => {
    const refs = new Refs();
    refs.adoptWindow(window('a'), 's1');
    expect(refs.adopt(node('r', 'window', 'N'), 'a', { snapshot: 's2', root: 'window' }).ref).toBe('w1');
    expect(refs.adopt(node('r', 'window', 'N'), 'a', { snapshot: 's3', root: 'element' }).ref).toBe('w1');
    expect(refs.adopt(node('q', 'window', 'N'), 'unlisted', { snapshot: 's4', root: 'window' }).ref).toBe('w2');
  });
});

test('memory is bounded: the oldest refs are forgotten, reported as stale and never assigned again', () => {
  const refs = new Refs(100);
  const readFrom = (from: number): Element =>
    refs.adopt(
      node(
        'r',
        'window',
        'N',
        Array.from({ length: 40 }, (_, i) => node(`n${from + i}`, 'button', `B${from + i}`)),
      ),
      'w',
      {
        snapshot: `s${from}`,
        root: 'window',
        whole: true,
      },
    );
  const first = refOf(readFrom(0), 'n0');
  for (let from = 40; from < 4_000; from += 40) readFrom(from);
  expect(refs.size).toBeLessThanOrEqual(100);
  expect(refs.lookup(first)).toEqual({ state: 'stale' });
  expect(refs.lookup('w1').state).toBe('here');
  const again = refOf(readFrom(0), 'n0');
  expect(again).not.toBe(first);
  expect(refs.lookup(first)).toEqual({ state: 'stale' });
});

test('a read with more elements than the limit keeps all of its own', () => {
  const refs = new Refs(10);
  const root = refs.adopt(
    node(
      'r',
      'window',
      'N',
      Array.from({ length: 50 }, (_, i) => node(`n${i}`, 'button')),
    ),
    'w',
    { snapshot: 's1', root: 'window' },
  );
  expect(refs.lookup(refOf(root, 'n0')).state).toBe('here');
});

describe('nearest', () => {
  const desk = new Desk();
  const orders = (status: string): Node[] => [
    node('t', 'table', 'Orders', [
      node('r1', 'row', undefined, [node('c1', 'cell', '1003'), node('b1', 'button', 'Edit')]),
      node('r2', 'row', undefined, [
        node('c2', 'cell', '1004'),
        node('d2', 'cell', status),
        node('b2', 'button', 'Edit'),
      ]),
    ]),
    node('x', 'button', 'Edit'),
  ];
  const old = refOf(desk.read(orders('Open')), 'b2');
  const now = desk.read(orders('Paid'));

  test('an item that begins with the same text, if none is the same', () => {
    expect(nearest(desk.refs.get(old)!, now)).toMatchObject([
      { element: { id: 'b2' }, item: { role: 'row', name: '1004' } },
    ]);
  });

  test('nothing if nothing is similar', () => {
    expect(nearest({ ...desk.refs.get(old)!, name: 'Remove' }, now)).toEqual([]);
    expect(nearest({ ...desk.refs.get(old)!, role: 'link' }, now)).toEqual([]);
    expect(nearest({ ...desk.refs.get(old)!, name: undefined, item: undefined }, now)).toEqual([]);
  });
});
