import { describe, expect, it } from 'vitest';
import type { Actor, Chord, Target } from '../index.js';
import { Deadline, type Delivered } from '../../shared/index.js';
import { selectByInput } from './select-option.js';

interface Given {
  total: number;
  chosen: number;
  /** How many options around the current one are exposed. */
  exposed?: number;
  role?: string;
  exposesCurrent?: boolean;
  /** Outside the list. */
  exposesFocus?: boolean;
  /** Each press of several keys loses one key. */
  drops?: boolean;
  name?: (n: number) => string;
  /** The items of the submenu that an option opens. */
  within?: (n: number) => string[];
  /** Enter opens a menu that was not exposed before. */
  opensMore?: boolean;
}

/** A combo box whose open list exposes only some of its options at a time, like the one of GTK 4. */
class Combo {
  open = false;
  /** In addition to the list itself. */
  menus = 0;
  at: number;
  chosen: number;
  delivered: Delivered = 'no';
  readonly deadline = Deadline.in(20_000);
  constructor(private readonly given: Given) {
    this.at = this.chosen = given.chosen;
  }

  /** As if the list was left open. */
  leaveOpen(): this {
    this.open = true;
    return this;
  }

  readonly settled = (_: unknown, step: () => Promise<void>): Promise<void> => step();
  async click(): Promise<void> {
    this.open = !this.open;
    this.at = this.chosen;
    this.delivered = 'yes';
  }

  async press(chords: readonly Chord[]): Promise<void> {
    this.delivered = 'yes';
    const arrive = this.given.drops && chords.length > 1 ? chords.slice(1) : chords;
    for (const { key } of arrive) {
      if (!this.open) throw new Error(`${key} without a list`);
      if (key === 'Home') this.at = 0;
      if (key === 'Down') this.at = Math.min(this.given.total - 1, this.at + 1);
      if (key === 'Up') this.at = Math.max(0, this.at - 1);
      if (key === 'Enter' && this.given.opensMore) this.menus += 1;
      else if (key === 'Enter') [this.chosen, this.open] = [this.at, false];
      if (key === 'Escape' && this.menus > 0) this.menus -= 1;
      else if (key === 'Escape') this.open = false;
    }
  }

  private options(): { role: string; states: { focused: boolean } }[] {
    const {
      total,
      exposed = total,
      role = 'listitem',
      exposesCurrent = true,
      name = (n) => `Option ${n}`,
    } = this.given;
    const first = Math.max(0, Math.min(total - exposed, this.at - Math.floor(exposed / 2)));
    return Array.from({ length: Math.min(exposed, total) }, (_, index) => {
      const here = exposesCurrent && this.at === first + index;
      return {
        role,
        name: name(first + index),
        states: { enabled: true, focused: here, selected: here },
        children: (this.given.within?.(first + index) ?? []).map((inside) => ({
          ...{ role, name: inside, children: [] },
          states: { enabled: true, focused: false, selected: false },
        })),
      };
    });
  }

  private focused(): { role?: string } {
    return this.given.exposesFocus ? this.options().find(({ states }) => states.focused)! : {};
  }

  private windows(): object[] {
    return this.open
      ? [
          { ref: 'w1', visible: true },
          { ref: 'w2', menu: true, visible: true, of: 'w1' },
        ]
      : [];
  }

  readonly reader = {
    windows: async () => ({ windows: this.windows() }),
    target: async () => ({ window: { menu: this.open }, element: { ref: 'e2', ...this.focused() } }),
    snapshotOf: async () => ({ roots: [this.focused()] }),
    takeSnapshot: async () => {
      const combo = { ref: 'e1', role: 'combobox', children: this.open ? this.options() : [] };
      return {
        windows: this.windows(),
        roots: [
          { ref: 'w1', children: [combo] },
          { ref: 'w2', children: [] },
        ],
      };
    },
  };
}

const TARGET = { element: { ref: 'e1', role: 'combobox', states: {} }, window: { ref: 'w1' } } as Target;

async function choose(given: Given, name: string, combo = new Combo(given)): Promise<{ combo: Combo; said: string }> {
  const said = await selectByInput(combo as unknown as Actor, TARGET, name).then(
    () => 'ok',
    (error: Error) => error.message,
  );
  return { combo, said };
}

describe('a list whose options open submenus', () => {
  const given: Given = { total: 4, chosen: 1, role: 'menuitem', within: (n) => (n > 1 ? [`Town ${n}`] : []) };

  it.each([true, false])('selects its own options, with the current option exposed: %j', async (exposesCurrent) => {
    const { combo, said } = await choose({ ...given, exposesCurrent }, 'Option 0');
    expect([said, combo.chosen, combo.open]).toEqual(['ok', 0, false]);
  });

  it.each(['Town 3', 'Option 3'])(
    'refuses %s, which is in a submenu or opens one, and leaves everything unchanged',
    async (name) => {
      const { combo, said } = await choose(given, name);
      expect(said).toBe(
        `e1 combobox has "${name}" in a submenu of its list, which is not supported; nothing was chosen, and its list was closed again.`,
      );
      expect([combo.chosen, combo.open, combo.delivered]).toEqual([1, false, 'no']);
    },
  );

  it('closes all menus when Enter opened another one', async () => {
    const { combo } = await choose({ total: 4, chosen: 1, role: 'menuitem', opensMore: true }, 'Option 2');
    expect([combo.chosen, combo.menus, combo.open]).toEqual([1, 0, false]);
  }, 15_000);
});

describe('an option of a long list that exposes only some of its options at a time', () => {
  it.each([
    [0, 260, true],
    [195, 260, true],
    [260, 67, true],
    [0, 260, false],
    [499, 0, false],
    [0, 499, true],
    [260, 260, false],
  ])('is reached from %i to %i, with the focus exposed: %j', async (chosen, wanted, exposesFocus) => {
    const { combo, said } = await choose({ total: 500, exposed: 205, chosen, exposesFocus }, `Option ${wanted}`);
    expect([said, combo.chosen, combo.open, combo.delivered]).toEqual(['ok', wanted, false, 'yes']);
  });

  it('is reported missing only after all were seen; the selection stays and nothing was delivered', async () => {
    const { combo, said } = await choose({ total: 500, exposed: 205, chosen: 260 }, 'Option 500');
    expect(said).toBe('e1 combobox has no option "Option 500" to choose; its list was closed again.');
    expect([combo.chosen, combo.open, combo.delivered]).toEqual([260, false, 'no']);
  });

  it('is refused when two options have the same text', async () => {
    const { combo, said } = await choose({ total: 9, chosen: 3, name: (n) => `Option ${n % 8}` }, 'Option 0');
    expect(said).toMatch(/has 2 options "Option 0"/);
    expect([combo.chosen, combo.delivered]).toEqual([3, 'no']);
  });

  it('is reached again when keys were lost, and never selected without a check', async () => {
    const { combo, said } = await choose({ total: 500, exposed: 205, chosen: 0, drops: true }, 'Option 260');
    expect([said, combo.chosen]).toEqual(['ok', 260]);
  });
});

it('closes and reopens a list that was left open', async () => {
  const given = { total: 9, chosen: 3 };
  const { combo, said } = await choose(given, 'Option 5', new Combo(given).leaveOpen());
  expect([said, combo.chosen, combo.open]).toEqual(['ok', 5, false]);
});

describe('a list that does not expose its current option', () => {
  it('is counted from its top if it is a menu, which exposes all its items', async () => {
    const { combo, said } = await choose(
      { total: 40, chosen: 5, role: 'menuitem', exposesCurrent: false },
      'Option 33',
    );
    expect([said, combo.chosen]).toEqual(['ok', 33]);
  });

  it('is closed again if it may have more options than it exposes', async () => {
    const { combo, said } = await choose(
      { total: 500, exposed: 205, chosen: 260, exposesCurrent: false },
      'Option 300',
    );
    expect(said).toMatch(/does not expose which of its options is current; its list was closed again/);
    expect([combo.chosen, combo.open, combo.delivered]).toEqual([260, false, 'no']);
  });
});
