import { COMMAND_SHAPES, type CommandShape } from './tools/shapes.js';
import { toolUsage, type ToolManifestEntry } from './tools/tool-command.js';

/** Maximum width of a group's line. */
const WIDTH = 108;

const GROUPS: readonly (CommandShape['group'] | 'Desks' | 'Govern' | 'Record')[] = [
  'Look',
  'Act',
  'Check',
  'Desks',
  'Govern',
  'Record',
  'Serve',
];
const CLI_COMMANDS: Partial<Record<(typeof GROUPS)[number], readonly string[]>> = {
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

/** The text of `deskproof --help`. Tools come from their schemas, so only what exists is listed. */
export function overview(tools: readonly ToolManifestEntry[]): string {
  const groups = GROUPS.map((group) => {
    const words = tools.filter(({ name }) => (COMMAND_SHAPES[name]?.group ?? 'Look') === group).map(toolUsage);
    return { group, words: [...words, ...(CLI_COMMANDS[group] ?? [])] };
  }).filter(({ words }) => words.length > 0);
  return [
    'Deskproof: see and operate desktop apps. Structure first, verified, governed.',
    '',
    '  deskproof demo                       watch it work on a private desktop',
    '  deskproof init                       connect Claude, VS Code, Cursor …',
    '  deskproof doctor                     what works here, what is missing',
    '',
    ...groups.flatMap(({ group, words }) => layoutGroup(group, words)),
    '',
    '  --desktop NAME   user (your screen) or the name of a private one      DESKPROOF_DESKTOP',
    '  --json           the same answer as JSON      Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by policy or person',
    "Examples:  deskproof snapshot Calculator      deskproof click 'button:Save' --window w3 --verify 'dialog:\"Save As\"'",
    'Help for a command: deskproof snapshot --help     Version: deskproof --version',
    '',
  ].join('\n');
}

function layoutGroup(group: string, words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 3 <= WIDTH) lines[lines.length - 1] = `${last} · ${word}`;
    else lines.push(word);
  }
  return lines.map((line, at) => `${(at === 0 ? group : '').padEnd(8)}${line}`);
}
