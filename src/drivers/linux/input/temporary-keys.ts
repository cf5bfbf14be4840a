import type { KeyboardMap } from './keyboard-map.js';

interface Slot {
  keysym: number;
  usedAt: number;
  former: readonly number[];
}

export interface Plan {
  /** Key of each symbol that was asked for, as many as there was room for. */
  keys: Map<number, number>;
  /** Keys that get another symbol first. */
  changes: { keycode: number; keysym: number; former: readonly number[] }[];
  /** Some of these keys had another symbol of ours: apps must have read that before. */
  reuses: boolean;
}

/**
 * Symbols that no key has are put on keys that have none. They stay there for a while, since apps look up the symbol
 * when they come to the event, and since the next text often needs the same.
 */
export class SpareKeys {
  private readonly slots = new Map<number, Slot>();

  /** Places for `keysyms`, in their order; when there are fewer keys than symbols, the last ones get none. */
  plan(keysyms: readonly number[], map: KeyboardMap): Plan {
    this.forgetForeign(map);
    const wanted = [...new Set(keysyms)];
    const plan: Plan = { keys: new Map(), changes: [], reuses: false };
    for (const [keycode, { keysym }] of this.slots) if (wanted.includes(keysym)) plan.keys.set(keysym, keycode);
    const kept = new Set(plan.keys.values());
    const empty = map.spare.filter((keycode) => !this.slots.has(keycode));
    const oldest = [...this.slots.keys()]
      .filter((keycode) => !kept.has(keycode))
      .sort((a, b) => this.slots.get(a)!.usedAt - this.slots.get(b)!.usedAt);
    for (const keysym of wanted) {
      if (plan.keys.has(keysym)) continue;
      const keycode = empty.shift() ?? oldest.shift();
      if (keycode === undefined) break;
      const former = this.slots.get(keycode)?.former;
      plan.reuses ||= former !== undefined;
      plan.keys.set(keysym, keycode);
      plan.changes.push({ keycode, keysym, former: former ?? map.row(keycode) });
    }
    return plan;
  }

  /** The plan is carried out. */
  taken(plan: Plan, now: number): void {
    for (const { keycode, keysym, former } of plan.changes) this.slots.set(keycode, { keysym, usedAt: now, former });
    for (const keycode of plan.keys.values()) this.slots.get(keycode)!.usedAt = now;
  }

  /** When the last of them was struck. */
  get usedAt(): number {
    return Math.max(-Infinity, ...[...this.slots.values()].map((slot) => slot.usedAt));
  }

  /** What each key had before. Keys that somebody else has changed meanwhile are not ours to restore. */
  formerSymbols(map: KeyboardMap): Map<number, readonly number[]> {
    this.forgetForeign(map);
    return new Map([...this.slots].map(([keycode, { former }]) => [keycode, former]));
  }

  get keycodes(): number[] {
    return [...this.slots.keys()];
  }

  clear(): void {
    this.slots.clear();
  }

  private forgetForeign(map: KeyboardMap): void {
    for (const [keycode, { keysym }] of this.slots) if (map.row(keycode)[0] !== keysym) this.slots.delete(keycode);
  }
}

/** Consecutive keys are changed together: every request makes every app read the whole table again. */
export function runsOf<T>(
  changes: readonly (readonly [keycode: number, value: T])[],
): { first: number; values: T[] }[] {
  const runs: { first: number; values: T[] }[] = [];
  for (const [keycode, value] of [...changes].sort(([a], [b]) => a - b)) {
    const last = runs.at(-1);
    if (last && last.first + last.values.length === keycode) last.values.push(value);
    else runs.push({ first: keycode, values: [value] });
  }
  return runs;
}
