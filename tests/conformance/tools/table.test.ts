import { expect, test } from 'vitest';
import { ACTS } from '../../../src/tools/index.js';
import { unknownSkips } from '../suite.js';
import { TOOL_CASES } from './cases.js';
import { TOOL_SKIPS } from './skips.js';

const names = TOOL_CASES.map(({ name }) => name);

test('no two cases have one name', () => expect(new Set(names).size).toBe(names.length));

test('every act tool is used', () => {
  for (const { name } of ACTS) expect(names.filter((one) => one.startsWith(`${name}: `))).not.toEqual([]);
});

test('every action of ui_act is used', () => {
  const { input } = ACTS.find(({ name }) => name === 'ui_act')!;
  const { enum: actions } = input.shape.action as unknown as { enum: Record<string, string> };
  for (const action of Object.keys(actions)) {
    expect(names.filter((one) => new RegExp(`^ui_act: ${action}\\b`).test(one))).not.toEqual([]);
  }
});

test('gaps name cases that there are, once, with a real reason', () => {
  expect(unknownSkips(TOOL_SKIPS, TOOL_CASES)).toEqual([]);
  const gaps = TOOL_SKIPS.map((skip) => `${skip.driver}: ${skip.case}`);
  expect(new Set(gaps).size).toBe(gaps.length);
  for (const { reason } of TOOL_SKIPS) expect(reason.length).toBeGreaterThan(20);
});
