import type { Asked } from './asked.js';
import type { Decided } from './governor.js';

/**
 * The rule that would let this pass without a question, as it can be put into a policy file (JSON is YAML): for this tool
 * in this program, and where it is risky for this target alone. None for what only claims to be a program: an allow rule
 * never fits that.
 */
export function ruleFor({ tool, class: kind }: Asked, { facts, risk }: Decided): string | undefined {
  const program = facts?.app && 'path' in facts.app ? facts.app.path : undefined;
  if (!facts || !risk || program === undefined) return undefined;
  const level = risk.levels.at(-1)!;
  const risky = level === 'high' || level === 'prohibited';
  if (risky && !facts.name) return undefined;
  const when = {
    app: escaped(program),
    tool,
    class: kind,
    ...(risky && { name: escaped(facts.name!), risk: [level] }),
  };
  const name = [tool, program.split('/').at(-1)!].join('-').replaceAll(/[^a-z0-9.-]+/gi, '-');
  return JSON.stringify({ name, when, decision: 'allow' });
}

/** What it says, and nothing else. */
const escaped = (text: string): string => text.replaceAll(/[\\*?]/g, '\\$&');
