import { OnePass } from '../../shared/index.js';
import { BUILT_IN, type Finder } from './built-in.js';

/** As a policy file names it. */
export type MaskSetting = keyof typeof BUILT_IN | { name: string; pattern: string };

interface Mask {
  name: string;
  find: Finder;
}

/** What stands where something masked was. */
export function maskMark(name: string): string {
  return `‹masked:${name}›`;
}

const MARK = /‹masked:([A-Za-z0-9][\w.-]{0,59})›/g;

const MOST_KEPT = 500;
const LONGEST_KEPT = 500;

/** For text that is kept: read from pictures, evidence, the ledger. The live tree is not masked, or nobody could use it. */
export class Masks {
  private readonly masks: readonly Mask[];
  private readonly harmless = new Set<string>();

  /** A pattern that cannot be searched in one pass is refused. */
  constructor(settings: readonly MaskSetting[]) {
    this.masks = settings.map((setting) =>
      typeof setting === 'string'
        ? { name: setting, find: BUILT_IN[setting] }
        : { name: setting.name, find: finderOf(new OnePass(setting.pattern)) },
    );
  }

  redact(text: string): string {
    if (this.harmless.has(text)) return text;
    const redacted = this.masks.reduce((now, mask) => this.betweenMarks(now, (part) => masked(part, mask)), text);
    if (redacted === text) this.remember(text);
    return redacted;
  }

  /** Names of windows, apps and tools come with every act. What is to be hidden is not kept. */
  private remember(text: string): void {
    if (text.length > LONGEST_KEPT) return;
    if (this.harmless.size >= MOST_KEPT) this.harmless.clear();
    this.harmless.add(text);
  }

  /** What our marks say is no mask's to read. Marks of other names are an app's. */
  private betweenMarks(text: string, change: (part: string) => string): string {
    let out = '';
    let done = 0;
    for (const { 0: mark, 1: name, index } of text.includes('‹') ? text.matchAll(MARK) : []) {
      if (!this.masks.some((mask) => mask.name === name)) continue;
      out += change(text.slice(done, index)) + mark;
      done = index + mark.length;
    }
    return out + change(text.slice(done));
  }
}

function finderOf(pattern: OnePass): Finder {
  return (text) => pattern.spans(text);
}

function masked(text: string, { name, find }: Mask): string {
  let out = '';
  let done = 0;
  for (const [start, end] of find(text)) {
    out += text.slice(done, start) + maskMark(name);
    done = end;
  }
  return out + text.slice(done);
}
