import { z } from 'zod';
import { defineTool, READ_TRAITS, type Capabilities, type PolicySummary } from '../../runtime/index.js';
import { localiseHint } from '../../shared/index.js';
import { quote } from '../../tree/index.js';
import { uiClickXy } from '../act/ui-click-xy.js';
import { uiClick } from '../act/ui-click.js';
import { uiCapture } from './ui-capture.js';
import { uiSnapshot } from './ui-snapshot.js';
import { THING, THINGS } from '../output-schemas.js';

/** Between driver and runtime. Tools depend on them only through the others, so the text leaves them out. */
const PLUMBING: ReadonlySet<string> = new Set([
  ...['caret', 'pages', 'keyBindings', 'waitForTreeSync', 'releaseScreenshot', 'lost', 'resume'],
]);

export const uiCapabilities = defineTool({
  name: 'ui_capabilities',
  class: 'read',
  blind: true,
  description: 'What works here, what is missing and the fix, and what the policy allows.',
  traits: { ...READ_TRAITS, place: 'any-window', diagnostic: true },
  cli: {
    group: 'Serve',
    examples: [['capabilities --desktop work', 'what works there and what the policy allows']],
  },
  sentence: { verb: () => ['Read the capabilities'] },
  output: z.looseObject({
    schema: z.literal(1),
    ...{ desktop: z.string(), driver: THING, capabilities: THING, findings: THINGS, policy: THING.optional() },
  }),
  timeoutMs: 5_000,
  input: z.object({}),
  run: async ({ reader }): Promise<Capabilities> => reader.capabilities(EXAMPLES),
  text({ desktop, driver, capabilities, findings, policy }) {
    const names = Object.entries(capabilities).filter(([name]) => !PLUMBING.has(name));
    const works = names.filter(([, state]) => state.can === 'yes').map(([name]) => name);
    const lines = [
      `desktop ${desktop}: ${driver.name} ${driver.version}${driver.experimental ? ', experimental' : ''}`,
    ];
    lines.push(`works: ${works.join(', ') || 'nothing'}`);
    for (const [name, state] of names) {
      if (state.can === 'yes') continue;
      const fix = state.fix ? `; fix: ${state.fix}` : '';
      lines.push(`${state.can === 'no' ? 'missing' : 'partly'}: ${name}, ${state.reason}${fix}`);
    }
    for (const { level, what, fix } of findings) {
      if (level !== 'ok') lines.push(`${level}: ${what}${fix ? `; fix: ${fix}` : ''}`);
    }
    if (policy) lines.push(...policyLines(policy, desktop));
    return lines.join('\n');
  },
});

/** For the summary of the policy. */
const EXAMPLES = { read: uiSnapshot, capture: uiCapture, act: uiClick, raw: uiClickXy } as const;

const CLASSES = { read: 'look', capture: 'picture', act: 'click', raw: 'bare point' } as const;

const CHANGED = 'policy changed on disk: no act until the user runs deskproof policy reload';

const UNCONFIRMED = 'policy not confirmed: only reads until the user reviews it with deskproof policy reload';

/** `click allow|ask`: what may come of it, depending on the target; a refusal is listed only if nothing else can result. */
function policyLines(policy: PolicySummary, desktop: string): string[] {
  const { profile, enabled, answers, limits, files, changed, unconfirmed } = policy;
  const kinds = Object.entries(CLASSES) as [keyof typeof CLASSES, string][];
  const may = kinds.map(([kind, word]) => `${word} ${mildly(answers[kind])}`).join(', ');
  const { actsPerMinute, capturesPerMinute, launchesPerMinute } = limits;
  const most = `${actsPerMinute} acts, ${capturesPerMinute} captures, ${launchesPerMinute} launches a minute`;
  const from = files.length > 0 ? `; ${files.map(({ tier, file }) => `${tier} ${quote(file)}`).join(', ')}` : '';
  return [
    `policy: ${profile}${enabled ? '' : ', not enabled'}: ${may}; at most ${most}${from}`,
    ...(unconfirmed ? [localiseHint(desktop, UNCONFIRMED)] : []),
    ...(changed.length > 0 ? [localiseHint(desktop, CHANGED)] : []),
  ];
}

function mildly(answers: readonly string[]): string {
  const others = answers.filter((answer) => answer !== 'deny');
  return others.join('|') || 'deny';
}
