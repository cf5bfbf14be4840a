import { SHAPES, type Shape } from './tools/shapes.js';
import { usageOf, type ToolManifestEntry } from './tools/tool-command.js';

/** Room for the words of one group before the line is broken. */
const WIDTH = 108;

const GROUPS: readonly (Shape['group'] | 'Desks' | 'Govern' | 'Record')[] = [
  'Look',
  'Act',
  'Check',
  'Desks',
  'Govern',
  'Record',
  'Serve',
];
const OWN: Partial<Record<(typeof GROUPS)[number], readonly string[]>> = {
  Check: ['selector explain|suggest'],
  Desks: ['desktop start|run|launch|list|env|view|stop'],
  Govern: [
    'policy init|check|explain|reload|test',
    'approvals',
    'grants [revoke ID]',
    'enable',
    'disable',
    'stop',
    'resume',
  ],
  Record: ['audit path|show|tail|verify|keys|rotate|new', 'replay LOG', 'export [LOG] --to html|ts'],
  Serve: ['mcp [--http] [--structured]', 'schema TOOL', 'completion SHELL'],
};

/** `deskproof --help`: only what works, tools from their schemas. */
export function overview(tools: readonly ToolManifestEntry[]): string {
  const groups = GROUPS.map((group) => {
    const words = tools.filter(({ name }) => (SHAPES[name]?.group ?? 'Look') === group).map(usageOf);
    return { group, words: [...words, ...(OWN[group] ?? [])] };
  }).filter(({ words }) => words.length > 0);
  return [
    'Deskproof: see and operate desktop apps. Structure first, verified, governed.',
    '',
    '  deskproof demo                       watch it work on a private desktop',
    '  deskproof init                       connect Claude, VS Code, Cursor …',
    '  deskproof doctor                     what works here, what is missing',
    '',
    ...groups.flatMap(({ group, words }) => lay(group, words)),
    '',
    '  --desktop NAME   user (your screen) or the name of a private one      DESKPROOF_DESKTOP',
    '  --json           the same answer as JSON      Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by policy or person',
    "Examples:  deskproof snapshot Calculator      deskproof click 'button:Save' --window w3 --verify 'dialog:\"Save As\"'",
    "More about one: deskproof snapshot --help     Deskproof's version: deskproof --version",
    '',
  ].join('\n');
}

function lay(group: string, words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 3 <= WIDTH) lines[lines.length - 1] = `${last} · ${word}`;
    else lines.push(word);
  }
  return lines.map((line, at) => `${(at === 0 ? group : '').padEnd(8)}${line}`);
}
