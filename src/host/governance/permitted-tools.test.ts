import { expect, test } from 'vitest';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { effectsOf, TOOLS } from '../../tools/index.js';
import { permittedTools } from './permitted-tools.js';

const OFFERED = TOOLS.map((tool) => ({ ...tool, effects: effectsOf(tool.traits) }));
const ALL = TOOLS.map(({ name }) => name);

test.each<[string, 'seat' | 'virtual', Partial<PolicyFile>, string[]]>([
  ['guarded: no captures, no bare points', 'seat', {}, ['ui_capture', 'ui_click_xy']],
  ['private: all of them', 'virtual', {}, []],
  ['captures of one app', 'seat', { rules: [allows({ app: '/usr/bin/x', class: 'capture' })] }, ['ui_click_xy']],
  [
    'captures with some arguments',
    'seat',
    { rules: [allows({ class: 'capture', args: { a: 'b' } })] },
    ['ui_click_xy'],
  ],
  ['a tool that is denied', 'virtual', { rules: [denies({ tool: 'ui_clipboard' })] }, ['ui_clipboard']],
  ['a tool that is denied in an app', 'virtual', { rules: [denies({ tool: 'ui_clipboard', app: '*' })] }, []],
  [
    'a tool that is denied to other callers',
    'virtual',
    { rules: [denies({ tool: 'ui_clipboard', caller: 'cli' })] },
    [],
  ],
])('%s', (_, kind, user, missing) => {
  const permitted = permittedTools(OFFERED, compilePolicy({ user: { version: 1, ...user } }, kind), kind, 'mcp');
  expect(ALL.filter((name) => !permitted.includes(name))).toEqual(missing);
});

type Rule = NonNullable<PolicyFile['rules']>[number];
function allows(when: Rule['when']): Rule {
  return { name: 'mine', when, decision: 'allow' };
}
function denies(when: Rule['when']): Rule {
  return { name: 'mine', when, decision: 'deny' };
}
