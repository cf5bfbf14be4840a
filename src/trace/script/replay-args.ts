import { recordedArgs, type ToolField } from '../recorded-args.js';
import type { DeedStep } from '../trace.js';
import { literal } from './literal.js';

/** Something that the log does not hold and a person must fill in. */
export interface Hole {
  /** `text7`: a member of `missing` in the script. */
  key: string;
  why: string;
}

export interface ReplayArgs {
  /** Name and source text of its value, in order. */
  args: [name: string, source: string][];
  holes: Hole[];
  /** What is not as it was recorded. */
  notes: string[];
}

/** The arguments of a recorded act as source, with a hole for each that cannot be said again. */
export function replayArgs(step: DeedStep, fields: readonly ToolField[]): ReplayArgs {
  const { args, notes } = recordedArgs(step, fields);
  const out: ReplayArgs = { args: [], holes: [], notes };
  for (const arg of args) {
    const key = `${arg.name}${step.number}`;
    if ('lost' in arg) out.holes.push({ key, why: `${arg.name} ${arg.lost}` });
    out.args.push([arg.name, 'lost' in arg ? `missing.${key}` : literal(arg.value)]);
  }
  return out;
}
