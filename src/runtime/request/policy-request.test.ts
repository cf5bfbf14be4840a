import { describe, expect, it } from 'vitest';
import { REDACTED } from '../../policy/index.js';
import { sessionOf, surfaceOf, type CallRequest } from './policy-request.js';
import { carriesText, keysOf, loggableArgs } from './tool-traits.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const request = (tool: string, args: CallRequest['args']): CallRequest =>
  withTraits({
    tool,
    class: 'act',
    caller: 'mcp:a71f',
    args,
  });

it.each([
  ['cli', 'cli', 'cli'],
  ['cli:b2', 'cli', 'cli'],
  ['mcp:a71f', 'mcp', 'mcp:a71f'],
  ['mcp:b', 'mcp', 'mcp:b'],
])('%s comes from %s, session %s', (caller, surface, session) => {
  expect([surfaceOf(caller), sessionOf(caller)]).toEqual([surface, session]);
});

describe('arguments as they are written down', () => {
  const text = { target: 'e1', text: 'hello' };
  it.each<[string, string, CallRequest['args'], boolean, object]>([
    ['plain', 'ui_type', text, true, text],
    ['for a hidden place', 'ui_type', text, false, { target: 'e1', text: REDACTED }],
    ['asked for', 'ui_type', { ...text, redactInLogs: true }, true, { text: REDACTED, redactInLogs: true }],
    ['of a value', 'ui_set_value', { value: 'hello' }, false, { value: REDACTED }],
    ['of keys', 'ui_key', { keys: 'Tab a b Enter' }, false, { keys: { redacted: true, others: 'Tab … Enter' } }],
    ['of keys in plain sight', 'ui_key', { keys: 'Tab a b' }, true, { keys: 'Tab a b' }],
    ['of keys that write nothing', 'ui_key', { keys: 'ctrl+s Enter' }, false, { keys: 'ctrl+s Enter' }],
    ['of another tool', 'ui_click', text, false, text],
  ])('%s', (_, tool, args, plain, written) => {
    expect(loggableArgs(request(tool, args), plain)).toMatchObject(written);
  });

  it('has nothing that was not given', () => {
    expect(loggableArgs(request('ui_type', { secret: 'bank' }), false)).toEqual({ secret: 'bank' });
  });

  it.each<[string, CallRequest['args'], boolean]>([
    ['ui_type', { text: 'x' }, true],
    ['ui_type', { secret: 'bank' }, false],
    ['ui_click', { text: 'x' }, false],
    ['ui_key', { keys: 'Tab x' }, true],
    ['ui_key', { keys: 'Tab Enter' }, false],
    ['ui_key', { keys: 7 }, false],
    ['ui_click', { keys: 'x' }, false],
  ])('%s %j carries text: %s', (tool, args, carries) => {
    expect(carriesText(request(tool, args))).toBe(carries);
  });
});

it.each<[string, CallRequest['args'], string[] | undefined]>([
  ['ui_key', { keys: 'Ctrl+S' }, ['ctrl+s']],
  ['ui_key', { text: 'a\n' }, undefined],
  ['ui_type', { text: 'a\n' }, ['Enter']],
  ['ui_type', { text: 'a', enter: true }, ['Enter']],
  ['ui_type', { text: 'a' }, []],
  ['ui_type', { secret: 'bank', keys: 'Ctrl+S' }, []],
  ['ui_type', { secret: 'bank', enter: true }, ['Enter']],
  ['ui_type', { enter: true }, undefined],
  ['ui_click', { keys: 'Ctrl+S', text: 'a\n' }, undefined],
])('%s %j presses %j', (tool, args, keys) => {
  const pressed = keysOf(request(tool, args));
  expect(pressed?.map((key) => key.toLowerCase())).toEqual(keys?.map((key) => key.toLowerCase()));
});

it('a secret presses what is known to be in it, each key once', () => {
  const typed = request('ui_type', { secret: 'bank', enter: true });
  expect(keysOf({ ...typed, presses: ['enter', 'tab'] })).toEqual(['enter', 'tab']);
  expect(keysOf({ ...request('ui_set_value', { secret: 'bank' }), presses: ['tab'] })).toBeUndefined();
});
