import { expect } from 'vitest';
import { centre, type Node } from '../../../src/tree/index.js';
import { everyNode, find, readWindow, shown, soon, until, windowTitled, type Case } from '../case.js';
import { BYSTANDER, CONTROLS, HIDDEN, LABEL, MAIN, NOTES, RADIOS } from '../scene.js';

export const READING: Case[] = [
  {
    name: 'read: names, roles, values and states of the controls',
    async run(stage) {
      const { root } = await readWindow(stage);
      for (const { role, name, value, states } of CONTROLS) {
        const node = find(root, role, name);
        expect(node, `${String(role)} "${name}"`).toBeDefined();
        if (value !== undefined) expect(node!.value, name).toBe(value);
        expect(node!.states, name).toMatchObject(states ?? {});
      }
      expect(root.states.active, 'the window is active').toBe(true);
      expect([...everyNode(root)].some((node) => node.name === LABEL)).toBe(true);
    },
  },
  {
    name: 'read: radio buttons',
    async run(stage) {
      const { root } = await readWindow(stage);
      for (const { role, name, states } of RADIOS) expect(find(root, role, name)?.states, name).toMatchObject(states!);
    },
  },
  {
    name: 'read: numbers have their limits',
    async run(stage) {
      const { root } = await readWindow(stage);
      expect(find(root, 'spinbutton', 'Age')!.range).toMatchObject({ min: 0, max: 130 });
      expect(find(root, 'slider', 'Volume')!.range).toMatchObject({ min: 0, max: 100 });
    },
  },
  {
    name: 'read: ids are unique, and the same in the next snapshot',
    async run(stage) {
      const ids = async () => [...everyNode((await readWindow(stage)).root)].map((node) => node.id);
      const first = await ids();
      expect(new Set(first).size).toBe(first.length);
      expect(await ids()).toEqual(first);
    },
  },
  {
    name: 'read: the count is the number of elements',
    async run(stage) {
      const { root, count } = await readWindow(stage);
      expect(count).toBe([...everyNode(root)].length);
    },
  },
  {
    name: 'read: bounds lie inside the window, sizes are real',
    async run(stage) {
      const window = await windowTitled(stage, MAIN);
      const { root } = await readWindow(stage);
      const [left, top] = [window.bounds!.x, window.bounds!.y];
      for (const node of everyNode(root)) {
        if (!node.bounds) continue;
        const { x, y, width, height } = node.bounds;
        const where = `${node.role} "${node.name ?? ''}" ${x},${y} ${width}x${height}`;
        expect(width > 0 && height > 0, where).toBe(true);
        expect(x >= left - 1 && y >= top - 1, where).toBe(true);
        expect(x + width <= left + window.bounds!.width + 1, where).toBe(true);
        expect(y + height <= top + window.bounds!.height + 1, where).toBe(true);
      }
      for (const { role, name } of CONTROLS) expect(find(root, role, name)?.bounds, name).toBeDefined();
    },
  },
  {
    name: 'read: one element and what is in it',
    async run(stage) {
      const save = await shown(stage, 'button', 'Save');
      const { root } = await stage.driver.read({ element: save.id }, { deadline: soon() });
      expect(root).toMatchObject({ id: save.id, role: 'button', name: 'Save' });
    },
  },
  {
    name: 'read: depth 0 returns the root alone and reports that there is more',
    async run(stage) {
      const { root, count } = await readWindow(stage, MAIN, { depth: 0 });
      expect(count).toBe(1);
      expect(root.children).toEqual([]);
      expect(root.unread).toBeGreaterThan(0);
    },
  },
  {
    name: 'read: a node limit holds and reports what was left out',
    async run(stage) {
      const { root, count } = await readWindow(stage, MAIN, { maxNodes: 5 });
      expect(count).toBeLessThanOrEqual(5);
      expect([...everyNode(root)].reduce((sum, node) => sum + (node.unread ?? 0), 0)).toBeGreaterThan(0);
    },
  },
  {
    name: 'read: hidden elements are left out; full includes and marks them',
    async run(stage) {
      const isHidden = (node: Node) => node.name === HIDDEN;
      expect([...everyNode((await readWindow(stage)).root)].some(isHidden)).toBe(false);
      const hidden = [...everyNode((await readWindow(stage, MAIN, { full: true })).root)].find(isHidden);
      expect(hidden?.states).toMatchObject({ visible: false, offscreen: true });
    },
  },
  {
    name: 'read: what was hidden just now is gone, and comes back',
    disturbs: true,
    async run(stage) {
      const saves = async () => find((await readWindow(stage)).root, 'button', 'Save');
      expect(await saves()).toBeDefined();
      await stage.command('hide Save');
      await until('Save gone', async () => (await saves()) === undefined);
      await stage.command('show Save');
      await until('Save back', saves);
    },
  },
  {
    name: 'read: detail names the actions',
    async run(stage) {
      const save = await shown(stage, 'button', 'Save');
      const { root } = await stage.driver.read({ element: save.id }, { deadline: soon(), detail: true });
      expect(root.actions!.length).toBeGreaterThan(0);
    },
  },
  {
    name: 'text: whole, and by range of characters',
    async run(stage) {
      const notes = await shown(stage, ['textbox', 'document'], 'Notes');
      const all = await stage.driver.text!(notes.id, { start: 0, end: 10_000 }, { deadline: soon() });
      const total = [...NOTES].length;
      expect(all).toEqual({ text: NOTES, start: 0, end: total, total });
      const from = [...NOTES].indexOf('日');
      const part = await stage.driver.text!(notes.id, { start: from, end: from + 4 }, { deadline: soon() });
      expect(part).toEqual({ text: '日本 😀', start: from, end: from + 4, total });
    },
  },
  {
    name: 'text: of an entry',
    async run(stage) {
      const field = await shown(stage, 'textbox', 'Name');
      const answer = await stage.driver.text!(field.id, { start: 0, end: 100 }, { deadline: soon() });
      expect(answer).toEqual({ text: 'Ada', start: 0, end: 3, total: 3 });
    },
  },
  {
    name: 'atPoint: the click point of a control hits it',
    async run(stage) {
      const { root } = await readWindow(stage);
      const main = await windowTitled(stage, MAIN);
      for (const { role, name } of CONTROLS) {
        const node = find(root, role, name)!;
        const found = await stage.driver.atPoint!(node.clickPoint ?? centre(node.bounds!), { deadline: soon() });
        expect(found?.window, name).toBe(main.id);
        expect(
          found?.path.map((step) => step.id),
          name,
        ).toContain(node.id);
      }
    },
  },
  {
    name: 'atPoint: outside of everything there is nothing',
    async run(stage) {
      expect(await stage.driver.atPoint!({ x: -5_000, y: -5_000 }, { deadline: soon() })).toBeUndefined();
    },
  },
  {
    name: 'focused: the element that has the keys, and the way to it',
    disturbs: true,
    async run(stage) {
      for (const name of ['Name', 'Save']) {
        await stage.command(`focus ${name}`);
        const found = await until(`focus on ${name}`, async () => {
          const answer = await stage.driver.focused!({ deadline: soon() });
          return answer?.path.at(-1)?.name === name && answer;
        });
        expect(found.window).toBe((await windowTitled(stage, MAIN)).id);
        expect(found.path.at(-1)!.states.focused).toBe(true);
        const node = [...everyNode((await readWindow(stage)).root)].find((one) => one.states.focused);
        expect(node?.id).toBe(found.path.at(-1)!.id);
      }
    },
  },
  {
    name: 'read: a bystander is read on its own',
    async run(stage) {
      const { root } = await readWindow(stage, BYSTANDER);
      expect(find(root, 'button', 'Hello')).toBeDefined();
      expect(find(root, 'button', 'Save')).toBeUndefined();
      expect(root.states.active ?? false).toBe(false);
    },
  },
];
