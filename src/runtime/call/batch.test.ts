import { expect, test } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { checkSteps, stepsOf } from './batch.js';

const check = ({ tool }: { tool: string }): void => {
  if (tool === 'ui_wrong') throw new DesktopError('bad_arguments', 'There is no such tool.', { hint: 'Take another.' });
};

test('steps that can be read pass', () => {
  expect(() => checkSteps(stepsOf([{ tool: 'ui_click' }, { tool: 'ui_key' }]), check)).not.toThrow();
});

test('reports a step that cannot run with its number, and that nothing was done', () => {
  const steps = stepsOf([{ tool: 'ui_click' }, { tool: 'ui_wrong' }, { tool: 'ui_key' }]);
  expect(() => checkSteps(steps, check)).toThrow(
    expect.objectContaining({
      code: 'bad_arguments',
      message: 'Step 2 of 3 (ui_wrong): There is no such tool. Nothing was done.',
      hint: 'Take another.',
      delivered: 'no',
    }),
  );
});
