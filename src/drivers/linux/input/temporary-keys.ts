import type { KeyboardMap } from './keyboard-map.js';

interface Slot {
  keysym: number;
  usedAt: number;
  former: readonly number[];
}

export interface TemporaryKeyPlan {
  /** The key of each requested keysym, for as many as there are keys. */
  keys: Map<number, number>;
  /** Keys that must be remapped first. */
  changes: { keycode: number; keysym: number; former: readonly number[] }[];
  /** Some of these keys have another temporary keysym. Apps must have read that one before the change. */
  reuses: boolean;
}

/**
 * Puts keysyms that no key has on keys that have none. They stay there for a while: apps look up the keysym when they
 * process the event, and the next text often needs the same keysyms.
 */
export class TemporaryKeys {
  private readonly slots = new Map<number, Slot>();

  /** Assigns keys to `keysyms`, in order. If there are fewer keys than keysyms, the last ones get none. */
  plan(keysyms: readonly number[], map: KeyboardMap): TemporaryKeyPlan {
    this.dropForeignChanges(map);
    const wanted = [...new Set(keysyms)];
    const plan: TemporaryKeyPlan = { keys: new Map(), changes: [], reuses: false };
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

  /** Records that the plan was carried out. */
  markUsed(plan: TemporaryKeyPlan, now: number): void {
    for (const { keycode, keysym, former } of plan.changes) this.slots.set(keycode, { keysym, usedAt: now, former });
    for (const keycode of plan.keys.values()) this.slots.get(keycode)!.usedAt = now;
  }

  /** When a temporary key was last used. */
  get usedAt(): number {
    return Math.max(-Infinity, ...[...this.slots.values()].map((slot) => slot.usedAt));
  }

  /** The former keysyms of each key. Keys that another program has changed since are not restored. */
  formerKeysyms(map: KeyboardMap): Map<number, readonly number[]> {
    this.dropForeignChanges(map);
    return new Map([...this.slots].map(([keycode, { former }]) => [keycode, former]));
  }

  get keycodes(): number[] {
    return [...this.slots.keys()];
  }

  clear(): void {
    this.slots.clear();
  }

  private dropForeignChanges(map: KeyboardMap): void {
    for (const [keycode, { keysym }] of this.slots) if (map.row(keycode)[0] !== keysym) this.slots.delete(keycode);
  }
}

/**
 * Groups consecutive keys, so that one request changes them. Every request makes every app read the whole mapping
 * again.
 */
export function groupConsecutive<T>(
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
