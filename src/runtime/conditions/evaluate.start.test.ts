import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { officeSpec } from '../../../tests/scenes/office.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Deadline } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { evaluateNow, type WaitOutcome } from './wait.js';
import type { Answer } from './condition.js';
import { parseCondition } from './parse-condition.js';
import { Baseline } from './evaluate.js';

let fake: FakeDesktop;
let desktop: Desktop;

beforeEach(() => {
  fake = fakeDesktop({ ...officeSpec(), hungAfterMs: 20 });
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fake.driver });
});
afterEach(() => desktop.close());

const soon = () => ({ deadline: Deadline.in(5_000) });

function evaluated(given: unknown): Promise<WaitOutcome> {
  return evaluateNow(CallView.forUser(desktop), parseCondition(given), undefined, soon());
}

const yes = 'satisfied';
const no = 'unsatisfied';
const unknown = 'unknown';

describe('compared with the start', () => {
  const changes: [string, () => void, string[]][] = [
    ['its name', () => fake.controls.setName('Zoom', 'Scale'), ['gone']],
    ['its value', () => fake.controls.setValue('Zoom', 150), ['value']],
    ['a state', () => fake.controls.setState('Zoom', 'enabled', false), ['states']],
    ['it goes', () => fake.controls.remove('Zoom'), ['gone']],
  ];
  it.each(changes)('%s', async (_, change, differs) => {
    const condition = parseCondition({ changed: 'spinbutton:Zoom' });
    const start = new Baseline('wait');
    const ask = () => evaluateNow(CallView.forUser(desktop), condition, undefined, soon(), start);
    expect((await ask()).answer).toBe(no);
    expect((await ask()).answer).toBe(no);
    change();
    expect(await ask()).toMatchObject({ answer: yes, seen: { differs } });
  });

  it('by ref a new name is a change, a move or the focus is none, something inside is', async () => {
    const toolbar = (await evaluated('role=toolbar')).seen.element!.ref;
    const save = (await evaluated('button:Save')).seen.element!.ref;
    const [whole, one] = [{ changed: toolbar }, { changed: save }].map(parseCondition);
    const start = new Baseline('wait');
    const ask = async () => [
      (await evaluateNow(CallView.forUser(desktop), whole!, undefined, soon(), start)).seen.differs,
      (await evaluateNow(CallView.forUser(desktop), one!, undefined, soon(), start)).seen.differs,
    ];
    await ask();
    fake.controls.moveWindow('editor', { x: 90, y: 90, width: 400, height: 400 });
    fake.controls.focus('Save');
    expect(await ask()).toEqual([undefined, undefined]);
    fake.controls.setName('Save', 'Save all');
    expect(await ask()).toEqual([['children'], ['name']]);
  });

  it('what appears has changed', async () => {
    const condition = parseCondition({ changed: 'button:New' });
    const start = new Baseline('wait');
    expect((await evaluateNow(CallView.forUser(desktop), condition, undefined, soon(), start)).answer).toBe(no);
    fake.controls.addChild('Main', { role: 'button', name: 'New' });
    expect(await evaluateNow(CallView.forUser(desktop), condition, undefined, soon(), start)).toMatchObject({
      answer: yes,
      seen: { differs: ['appeared'] },
    });
  });
});

describe('around an act', () => {
  const around = async (given: unknown, act: () => void): Promise<WaitOutcome> => {
    const condition = parseCondition(given);
    const start = new Baseline('act');
    await evaluateNow(CallView.forUser(desktop), condition, undefined, soon(), start);
    start.seal();
    act();
    return evaluateNow(CallView.forUser(desktop), condition, undefined, soon(), start);
  };

  const table: [unknown, () => void, Answer][] = [
    [{ gone: 'button:Save' }, () => fake.controls.remove('Save'), yes],
    [{ gone: 'button:Save' }, () => undefined, no],
    [{ gone: 'button:Nowhere' }, () => undefined, unknown],
    [{ windowClosed: 'Mail' }, () => fake.controls.closeWindow('mail'), yes],
    [{ windowClosed: 'Mail' }, () => undefined, no],
    [{ windowClosed: 'Nowhere' }, () => undefined, unknown],
    [{ changed: 'spinbutton:Zoom' }, () => fake.controls.setValue('Zoom', 5), yes],
    [{ changed: 'spinbutton:Zoom' }, () => undefined, no],
    [{ all: ['button:Save', { gone: 'button:Nowhere' }] }, () => undefined, unknown],
    [{ not: { gone: 'button:Save' } }, () => undefined, yes],
  ];
  it.each(table)('%j', async (given, act, answer) => expect((await around(given, act)).answer).toBe(answer));

  it('what could not be read before is not known to have changed', async () => {
    fake.controls.hang('editor');
    const { answer, reason } = await around({ changed: 'spinbutton:Zoom' }, () => fake.controls.resume('editor'));
    expect([answer, reason]).toEqual([unknown, 'It could not be read before the act.']);
  });

  it('in a wait the same is satisfied, and says that it was never there', async () => {
    expect(await evaluated({ gone: 'button:Nowhere' })).toMatchObject({ answer: yes, seen: { seenBefore: false } });
    expect(await evaluated({ windowClosed: 'Nowhere' })).toMatchObject({ answer: yes, seen: { seenBefore: false } });
  });
});
