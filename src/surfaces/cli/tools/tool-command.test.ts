import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldsOf } from './fields.js';
import { TOOL_MANIFEST } from './tool-manifest.js';
import { toolCommand, toolUsage, type Arguments, type ToolManifestEntry } from './tool-command.js';

const shapeOf = (tool: string) => TOOL_MANIFEST.find(({ name }) => name === tool)!.cli;
const snapshot: ToolManifestEntry = {
  name: 'ui_snapshot',
  cli: shapeOf('ui_snapshot'),
  description: 'Look.',
  fields: fieldsOf(
    z.object({
      window: z.string().optional(),
      target: z.string().optional(),
      interactive: z.boolean().optional(),
      depth: z.number().int().optional(),
      maxTokens: z.number().int().default(2000),
    }),
  ),
};
const read: ToolManifestEntry = {
  name: 'ui_read',
  cli: shapeOf('ui_read'),
  description: 'Read.',
  fields: fieldsOf(z.object({ target: z.string(), range: z.string().optional() })),
};
const describeTool: ToolManifestEntry = {
  name: 'ui_describe',
  cli: shapeOf('ui_describe'),
  description: 'Describe.',
  fields: fieldsOf(
    z.object({ target: z.string().optional(), x: z.number().int().optional(), y: z.number().int().optional() }),
  ),
};
const wait: ToolManifestEntry = {
  name: 'ui_wait',
  cli: shapeOf('ui_wait'),
  description: 'Wait.',
  fields: fieldsOf(
    z.object({
      until: z.union([z.string(), z.record(z.string(), z.unknown())]),
      space: z.enum(['screen', 'window']).default('screen'),
      region: z.array(z.number().int()).optional(),
      amount: z.number().optional(),
    }),
  ),
};

async function parse(tool: ToolManifestEntry, ...words: string[]): Promise<Arguments> {
  let got: Arguments | undefined;
  const program = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  const make = (name: string) => new Command(name).copyInheritedSettings(program);
  const command = toolCommand(make, tool, async (args) => {
    got = args;
  });
  program.addCommand(command);
  await program.parseAsync([command.name(), ...words], { from: 'user' });
  return got!;
}

describe('a command created from a schema', () => {
  const good: [ToolManifestEntry, string[], Arguments][] = [
    [snapshot, [], {}],
    [
      snapshot,
      ['Calculator', '-i', '-d', '3', '-s', 'e9'],
      { window: 'Calculator', interactive: true, depth: 3, target: 'e9' },
    ],
    [snapshot, ['--window', 'w2', '--max-tokens', '400'], { window: 'w2', maxTokens: 400 }],
    [read, ['e40', '25-26'], { target: 'e40', range: '25-26' }],
    [read, ['--target', 'e40', '--range', '25-26'], { target: 'e40', range: '25-26' }],
    [describeTool, ['--at', '400,300'], { x: 400, y: 300 }],
    [describeTool, ['--at=-5, 7'], { x: -5, y: 7 }],
    [describeTool, ['--x', '4', '--y', '3'], { x: 4, y: 3 }],
    [wait, ['{"window":"Calc"}'], { until: { window: 'Calc' } }],
    [wait, ['button:Save'], { until: 'button:Save' }],
    [wait, ['--until', '{"window":"Calc"}', '--amount', '1.5'], { until: { window: 'Calc' }, amount: 1.5 }],
    [
      wait,
      ['--until', 'button:Save', '--space', 'window', '--region', '1, 2'],
      { until: 'button:Save', space: 'window', region: ['1', '2'] },
    ],
  ];
  it.each(good)('%o %j', async (tool, words, args) => {
    expect(await parse(tool, ...words)).toEqual(args);
  });

  const bad: [ToolManifestEntry, string[], RegExp][] = [
    [snapshot, ['Calculator', '--window', 'w2'], /given twice/],
    [snapshot, ['a', 'b'], /too many arguments/],
    [snapshot, ['--depth', 'three'], /whole number/],
    [snapshot, ['--depth', '1.5'], /whole number/],
    [snapshot, ['--windw', 'w2'], /Did you mean --window/],
    [describeTool, ['--at', '400'], /screen point/],
    [wait, ['--until', '{window}'], /not valid JSON/],
    [wait, ['{window}'], /until starts with \{ but is not valid JSON/],
    [wait, ['a', '--until', 'b'], /given twice/],
    [wait, ['--space', 'moon'], /Allowed choices are screen, window/],
    [wait, ['--amount', ''], /a number/],
  ];
  it.each(bad)('refuses %o %j', async (tool, words, message) => {
    await expect(parse(tool, ...words)).rejects.toThrow(message);
  });

  it('shows its usage', () => {
    expect([snapshot, read, describeTool, wait].map(toolUsage)).toEqual([
      'snapshot [WINDOW]',
      'read TARGET [RANGE]',
      'describe TARGET|--at X,Y',
      'wait CONDITION',
    ]);
  });
});
