// @module-tag safety
import { expect, it } from 'vitest';
import { aimAt, elementOf, startOf, targetOf, windowInfo } from '../../../tests/scenes/aims.js';
import { withTraits } from '../../../tests/scenes/calls.js';
import type { Snapshot, WindowInfo } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallRequest } from '../request/policy-request.js';
import type { CallView } from '../visibility/call-view.js';
import { type HeldTarget, placesOf, refusePlanWhileAsking, refuseWhileAsking } from './open-questions.js';
import type { Place } from './pending-approvals.js';

const APP = windowInfo({ ref: 'w1', id: 'app', pid: 71, program: '/usr/bin/app' });
const ASKED: Place = { id: 'asked', pid: 5, program: '/usr/bin/asked' };

/** A desktop with one open question. Answers can be given in "Terminal"; python runs anything. */
const viewWith = (place: Place | undefined, rules: object = RULES): CallView =>
  ({ authorizer: { questions: { all: place ? [{ places: [place] }] : [] }, rules } }) as unknown as CallView;
const RULES = {
  takesAnswers: ({ title }: WindowInfo) => title === 'Terminal',
  runsAnything: (program: string) => program.endsWith('/python3'),
};
const waits = (act: () => void): boolean => {
  try {
    act();
    return false;
  } catch {
    return true;
  }
};

it.each<[string, Place | undefined, HeldTarget[], boolean]>([
  ['without a question', undefined, [], false],
  ['in another app', ASKED, [{ window: APP }], false],
  ['in no known place', ASKED, [], true],
  ['in an unknown window', ASKED, [{ window: undefined }], true],
  ['in one of two windows that is unknown', ASKED, [{ window: APP }, { window: undefined }], true],
  ['in a terminal element', ASKED, [{ window: APP, role: 'terminal' }], true],
  ['where the user answers', ASKED, [{ window: { ...APP, title: 'Terminal' } }], true],
  ['in the window of the question', { id: 'app' }, [{ window: APP }], true],
  ['in its process', { id: 'other', pid: 71 }, [{ window: APP }], true],
  ['in its program', { program: '/usr/bin/app' }, [{ window: APP }], true],
  ['in its interpreter', { program: '/usr/bin/python3' }, [{ window: { ...APP, program: '/usr/bin/python3' } }], false],
  ['where neither process nor program is known', { id: 'x' }, [{ window: without('pid', 'program') }], false],
])('an act by pattern %s', (_, place, targets, held) => {
  expect(waits(() => refuseWhileAsking(viewWith(place), 'pattern', targets))).toBe(held);
  expect(waits(() => refuseWhileAsking(viewWith(place), 'approved input', targets))).toBe(held);
  expect(waits(() => refuseWhileAsking(viewWith(place), 'input', targets))).toBe(place !== undefined);
});

function without(...names: (keyof WindowInfo)[]): WindowInfo {
  return Object.fromEntries(Object.entries(APP).filter(([name]) => !names.includes(name as never))) as never;
}

it('rules that do not say where the user answers hold every act', () => {
  expect(waits(() => refuseWhileAsking(viewWith(ASKED, {}), 'pattern', [{ window: APP }]))).toBe(true);
});

const CLICK = withTraits({ tool: 'ui_click', class: 'act', caller: 'mcp', args: {} });
const IN_APP = aimAt({}, { target: targetOf({}, { window: APP }), window: APP });
const IN_ASKED = targetOf({}, { window: windowInfo({ id: 'asked' }) });

it.each<[string, object, Partial<ActionPlan>, boolean, boolean?]>([
  ['by pattern', {}, {}, false],
  ['by input', { args: { method: 'input' } }, {}, true],
  ['of the raw class', { class: 'raw' }, {}, true],
  ['at a point', {}, { at: { x: 1, y: 1 } }, true],
  ['with keys', {}, { keys: true } as never, true],
  ['that starts a program', {}, { start: startOf('/usr/bin/app') }, true],
  ['without a target', {}, { target: undefined }, true],
  ['onto the window of the question', {}, { onto: IN_ASKED }, true],
  ['by input that was approved', { args: { method: 'input' } }, {}, false, true],
  ['without a target, in a window, that was approved', {}, { target: undefined }, false, true],
  ['without any window, that was approved', {}, { target: undefined, window: undefined }, true, true],
  ['in the window of the question, that was approved', {}, { target: IN_ASKED }, true, true],
])('an act %s waits or not', async (_, more, plan, held, approved = false) => {
  expect(await planWaits({ ...CLICK, ...more }, { ...IN_APP, ...plan }, approved)).toBe(held);
});

it.each<[string, object, boolean]>([
  ['is free', {}, false],
  ['has a terminal', { roots: [elementOf({ children: [elementOf({ role: 'terminal' })] })] }, true],
  ['could not be read in full', { degraded: 'busy' }, true],
  ['has a dialog where the user answers', { windows: [APP, { ...APP, title: 'Terminal' }] }, true],
])('an act by pattern in an app that %s', async (_, family, held) => {
  expect(await planWaits(CLICK, IN_APP, false, family)).toBe(held);
});

async function planWaits(request: CallRequest, plan: ActionPlan, approved: boolean, more = {}): Promise<boolean> {
  const family = async (): Promise<Snapshot> => ({ windows: [APP], roots: [], ...more }) as unknown as Snapshot;
  return refusePlanWhileAsking(viewWith(ASKED), request, plan, approved, family).then(
    () => false,
    () => true,
  );
}

it('a question is about every window and program of its plan', () => {
  expect(placesOf(undefined)).toEqual([]);
  const plan = { verb: 'launch', needs: {}, window: APP, onto: IN_ASKED, start: startOf('/usr/bin/crm') };
  expect(placesOf(plan).map(({ id, program }) => id ?? program)).toEqual(['app', 'asked', '/usr/bin/crm']);
  expect(placesOf({ verb: 'copy', needs: {} })).toEqual([]);
});
