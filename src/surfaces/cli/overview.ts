import type { Command } from 'commander';
import { GROUPS, guideOf } from './command-guide.js';

/** Maximum width of a group's line. */
const WIDTH = 108;

/** The text of `deskproof --help`. Commands describe themselves, so only what exists is listed. */
export function overview(program: Command): string {
  const entries = program.commands.flatMap((command) => guideOf(command)?.overview ?? []);
  const groups = GROUPS.map((group) => ({
    group,
    words: entries.filter((entry) => entry.group === group).map(({ usage }) => usage),
  })).filter(({ words }) => words.length > 0);
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
