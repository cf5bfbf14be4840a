import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import type { ActTool } from '../call/tool.js';
import type { CallContext } from '../request/call-context.js';
import { runAction } from './run-action.js';
import { withTraits } from '../../../tests/scenes/calls.js';

let desktop: Desktop;
beforeEach(() => {
  const { driver } = fakeDesktop({ windows: [] });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver, policy: compilePolicy({}, 'virtual') });
});
afterEach(() => desktop.close());

const LIMIT_MS = 600_000;

const contextOf = (request: CallContext['request'], limitMs: number): CallContext => ({
  ...{ view: CallView.forUser(desktop), request, channel: {}, limitMs, recordsItself: false },
  deadline: () => Deadline.in(limitMs),
});

it.each([
  ['without a proof that is waited for', {}, 1],
  ['with one, which is waited for after the turn', { verify: 'window:Done' }, 1],
  ['of what takes long by itself', { longerMs: LIMIT_MS }, 2],
  ['of what would take for ever', { longerMs: 1e12 }, 2],
])('time to be finished, %s', async (_, args, limits) => {
  let left = 0;
  const tool = {
    ...{ name: 'ui_key', class: 'act' },
    longerMs: ({ longerMs = 0 }: { longerMs?: number }) => longerMs,
    plan: async () => ({ verb: 'press', needs: {} }),
    act: async (actor: Parameters<ActTool['act']>[0]) => {
      left = actor.deadline.remaining();
      return Promise.reject(new Error('enough'));
    },
  } as unknown as ActTool;
  const request = withTraits({ tool: 'ui_key', class: 'act', caller: 'mcp:a', args });
  await expect(runAction(contextOf(request, LIMIT_MS), tool)).rejects.toThrow('enough');
  // Some seconds more for the end, some less for what has passed.
  expect(Math.round(left / LIMIT_MS)).toBe(limits);
});

it('what takes long by itself has no longer to become ready: others wait for it', async () => {
  const began = performance.now();
  const tool = {
    ...{ name: 'ui_type', class: 'act', longerMs: () => LIMIT_MS },
    plan: async () => Promise.reject(new DesktopError('element_not_found', 'There is none.')),
  } as unknown as ActTool;
  const request = withTraits({ tool: 'ui_type', class: 'act', caller: 'mcp:a', args: {} });
  const acted = runAction(contextOf(request, 50), tool);
  await expect(acted).rejects.toMatchObject({ code: 'element_not_found' });
  expect(performance.now() - began).toBeLessThan(LIMIT_MS / 20);
});
