import { expect, it } from 'vitest';
import { REDACTED, type TargetFacts } from '../../policy/index.js';
import { type CallRequest, policyRequest } from './policy-request.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const TEXT = { target: 'e1', text: 'hunter2' };

it.each<[string, string, CallRequest['args'], TargetFacts | undefined, unknown]>([
  ['not before it is known where it goes', 'ui_type', TEXT, undefined, undefined],
  ['when it is known where it goes', 'ui_type', TEXT, { role: 'textbox' }, TEXT],
  ['hidden when it goes into a password field', 'ui_type', TEXT, { secure: true }, { target: 'e1', text: REDACTED }],
  ['at once where there is none', 'ui_click', { target: 'e1' }, undefined, { target: 'e1' }],
])('rules see what is typed: %s', (_, tool, args, target, seen) => {
  const request: CallRequest = withTraits({ tool, class: 'act', caller: 'mcp:a', args });
  const question = policyRequest(request, { desktop: 'seat', ...(target && { target }) });
  expect(question.args).toEqual(seen);
  expect(question).toMatchObject({ tool, class: 'act', caller: 'mcp', desktop: 'seat', enabled: false });
  expect(question.target).toEqual(target);
});
