import { expect } from 'vitest';
import { ITEM_ROLES, Refs, type Element, type Node } from '../../../src/tree/index.js';
import {
  everyNode,
  codeOf,
  LISTS,
  readWindow,
  shown,
  soon,
  TABLES,
  until,
  windowTitled,
  wordsOf,
  type Case,
} from '../case.js';
import { ITEM_BUTTON, itemName, ITEMS, MAIN, ORDER_HEADERS, ORDER_ROWS, orderRow } from '../scene.js';

/** Numbers of the items that a read gave. */
function itemNumbers(list: Node): number[] {
  return [...everyNode(list)].flatMap((node) => /^Item (\d+)$/.exec(node.name ?? '')?.[1] ?? []).map(Number);
}

/** What each ref inside an item means: the words of that item. */
function wordsByRef(root: Element, item?: Element, words = new Map<string, string>()): Map<string, string> {
  const inside = ITEM_ROLES.has(root.role) ? root : item;
  if (inside) words.set(root.ref, wordsOf(inside));
  for (const child of root.children) wordsByRef(child, inside, words);
  return words;
}

export const ROWS: Case[] = [
  {
    name: 'list: only the items on screen, and how many there are',
    async run(stage) {
      const list = await shown(stage, LISTS, 'Items');
      const seen = new Set(itemNumbers(list));
      expect(list.items?.total).toBe(ITEMS);
      expect(seen.size).toBeGreaterThanOrEqual(4);
      expect(seen.size).toBeLessThanOrEqual(14);
      const [first, last] = list.items!.shown!;
      expect(seen.has(first) && seen.has(last)).toBe(true);
    },
  },
  {
    name: 'list: controls inside of items',
    async run(stage) {
      const list = await shown(stage, LISTS, 'Items');
      const [first, last] = list.items!.shown!;
      expect([...everyNode(list)].filter((node) => node.name === ITEM_BUTTON)).toHaveLength(last - first + 1);
    },
  },
  {
    name: 'list: after scrolling, other items',
    disturbs: true,
    async run(stage) {
      await stage.command('scroll-list 100');
      await until('item 102 on screen', async () => {
        const list = await shown(stage, LISTS, 'Items');
        const seen = itemNumbers(list);
        // A driver that cannot know the numbers after scrolling says none; a wrong one is worse.
        const first = list.items?.shown?.[0];
        return seen.includes(102) && !seen.includes(3) && (first === undefined || first > 90);
      });
    },
  },
  {
    name: 'list: no ref means another item after scrolling',
    safety: true,
    disturbs: true,
    async run(stage) {
      const refs = new Refs();
      const { id } = await windowTitled(stage, MAIN);
      const namesIn = async (snapshot: string): Promise<Map<string, string>> => {
        const { root } = await readWindow(stage);
        return wordsByRef(refs.adopt(root, id, { snapshot, root: 'window', whole: true }));
      };
      const before = await namesIn('s1');
      expect([...before.values()].some((words) => words.includes(itemName(2)))).toBe(true);
      await stage.command('scroll-list 100');
      const after = await until('item 102 on screen', async () => {
        const words = await namesIn('s2');
        return [...words.values()].some((one) => one.includes(itemName(102))) && words;
      });
      for (const [ref, words] of after) if (before.has(ref)) expect(words, ref).toBe(before.get(ref));
    },
  },
  {
    name: 'list: full marks what is scrolled out',
    async run(stage) {
      const { root } = await readWindow(stage, MAIN, { full: true });
      const far = [...everyNode(root)].find((node) => node.name === itemName(150));
      expect(far?.states.offscreen).toBe(true);
    },
  },
  {
    name: 'list: a range of items that are not on screen',
    async run(stage) {
      const list = await shown(stage, LISTS, 'Items');
      const answer = await stage.driver.range!(list.id, { rows: [150, 152] }, { deadline: soon() });
      expect(answer).toMatchObject({ span: [150, 152], total: ITEMS });
      expect(answer.rows.map(wordsOf)).toEqual(
        [150, 151, 152].map((n) => expect.stringContaining(itemName(n)) as string),
      );
    },
  },
  {
    name: 'list: a range beyond the end is cut, one outside is refused',
    async run(stage) {
      const list = await shown(stage, LISTS, 'Items');
      const answer = await stage.driver.range!(list.id, { rows: [ITEMS - 1, ITEMS + 50] }, { deadline: soon() });
      expect(answer.span).toEqual([ITEMS - 1, ITEMS]);
      expect(answer.rows).toHaveLength(2);
      const outside = stage.driver.range!(list.id, { rows: [ITEMS + 5, ITEMS + 9] }, { deadline: soon() });
      expect(await codeOf(outside)).toBe('bad_arguments');
    },
  },
  {
    name: 'table: size, headers and the rows on screen',
    async run(stage) {
      const table = await shown(stage, TABLES, 'Orders');
      expect(table.table).toMatchObject({ rows: ORDER_ROWS, columns: 3, headers: [...ORDER_HEADERS] });
      const [first, last] = table.table!.shown!.rows;
      expect(first).toBe(1);
      expect(last).toBeGreaterThanOrEqual(3);
      expect(last).toBeLessThanOrEqual(14);
      const rows = table.children.filter((child) => child.role === 'row');
      expect(rows).toHaveLength(last);
      rows.forEach((row, i) => expect(row.children.map((cell) => cell.name)).toEqual(orderRow(i + 1)));
    },
  },
  {
    name: 'table: rows by range',
    async run(stage) {
      const table = await shown(stage, TABLES, 'Orders');
      const answer = await stage.driver.range!(table.id, { rows: [200, 202] }, { deadline: soon() });
      expect(answer).toMatchObject({ span: [200, 202], total: ORDER_ROWS });
      expect(answer.rows.map((row) => row.children.map((cell) => cell.name))).toEqual([200, 201, 202].map(orderRow));
    },
  },
  {
    name: 'table: cells by range say where they are',
    async run(stage) {
      const table = await shown(stage, TABLES, 'Orders');
      const cells = { rows: [7, 8] as [number, number], columns: [2, 3] as [number, number] };
      const answer = await stage.driver.range!(table.id, { cells }, { deadline: soon() });
      expect(answer.rows.map((row) => row.children.map((cell) => cell.name))).toEqual([
        orderRow(7).slice(1),
        orderRow(8).slice(1),
      ]);
      expect(answer.rows[1]!.children[0]!.cell).toMatchObject({ row: 8, column: 2 });
    },
  },
];
