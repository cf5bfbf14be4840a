import { z } from 'zod';
import { defineBatch, stepsOf, type StepDone } from '../../runtime/index.js';
import { withUntrustedMarkers, quote } from '../../tree/index.js';
import { ROOT } from '../output-schemas.js';

const MOST_STEPS = 100;

export const uiBatch = defineBatch({
  name: 'ui_batch',
  class: 'act',
  description: 'Several calls in one, in order, stopping at the first failure. Step: {tool:"ui_click", target:"e12"}.',
  // Each step is authorized and recorded with the traits of its own tool.
  traits: { text: 'none', keys: 'none', risk: 'none', place: 'any-window' },
  cli: {
    group: 'Act',
    positionals: ['steps'],
    fromFile: 'steps',
    usage: 'batch FILE|-',
    examples: [
      ['batch steps.json --snapshot', 'run calls from a file, then take a snapshot'],
      ['batch -', 'run calls from standard input'],
    ],
  },
  output: z.looseObject({
    ...ROOT,
    steps: z.array(z.looseObject({ tool: z.string() })),
    changes: z.array(z.string()),
    durationMs: z.number(),
  }),
  timeoutMs: 120_000,
  input: z.object({
    steps: z
      .array(z.looseObject({ tool: z.string().max(100) }))
      .min(1)
      .max(MOST_STEPS),
    snapshot: z.boolean().optional().describe('look at the end'),
  }),
  steps({ steps, snapshot }) {
    return stepsOf([...steps, ...(snapshot ? [{ tool: 'ui_snapshot' }] : [])]);
  },
  text({ done, changes, wide, durationMs }) {
    const acts = done.filter(isAct);
    const rest = done.filter((one) => !acts.includes(one));
    const head = `${outcome(done)}, ${durationMs} ms.`;
    const lines = changes.join('\n');
    const changed = changes.length > 0 ? ['Changed:', wide ? withUntrustedMarkers(lines) : lines] : [];
    return [head, ...runs(done), ...changed, ...rest.map(({ text }) => text)].join('\n');
  },
  json: ({
    done,
    changes,
    durationMs,
  }): {
    untrusted: true;
    steps: ({ tool: string } & Record<string, unknown>)[];
    changes: string[];
    durationMs: number;
  } => ({
    untrusted: true,
    steps: done.map(({ tool, json }) => ({ tool, ...json })),
    changes,
    durationMs,
  }),
});

/** `ok: 5 of 5 steps`, or which of them had no effect that shows. The first word is about the last act. */
function outcome(done: readonly StepDone[]): string {
  const doubtful = done.flatMap((one, at) => (isAct(one) && !isOk(one) ? [`step ${at + 1} ${statusOf(one)}`] : []));
  if (doubtful.length === 0) return `ok: ${done.length} of ${done.length} steps`;
  const word = statusOf(done.findLast(isAct)!);
  return `${word}: ${done.length - doubtful.length} of ${done.length} steps ok, ${doubtful.join(', ')}`;
}

/** Like steps in a row share a line: `1-7 ui_click: e22 "1", e23 "2"`. */
function runs(done: readonly StepDone[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < done.length;) {
    const { tool } = done[at]!;
    let end = at + 1;
    while (end < done.length && done[end]!.tool === tool) end++;
    const names = done
      .slice(at, end)
      .filter(isAct)
      .map(({ json }) => subject(json));
    if (names.length > 0) lines.push(`${end - at > 1 ? `${at + 1}-${end}` : at + 1} ${tool}: ${names.join(', ')}`);
    at = end;
  }
  return lines;
}

const isAct = ({ json }: StepDone): boolean => typeof json.verb === 'string';
const statusOf = ({ json }: StepDone): string => String(json.status);
const isOk = (one: StepDone): boolean => statusOf(one) === 'ok';

function subject(json: Record<string, unknown>): string {
  const target = json.resolvedTarget as { ref: string; name?: string } | undefined;
  const done = json.noop === undefined ? '' : ' (nothing to do)';
  const status = json.status === 'ok' ? done : ` (${String(json.status)})`;
  if (!target) return `${String(json.detail ?? json.verb)}${status}`;
  return `${target.ref}${target.name ? ` ${quote(target.name)}` : ''}${status}`;
}
