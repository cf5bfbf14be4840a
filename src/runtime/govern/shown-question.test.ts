import { expect, it } from 'vitest';
import { aimAt, windowInfo } from '../../../tests/scenes/aims.js';
import { REDACTED } from '../../policy/index.js';
import type { Aim } from '../act/aim.js';
import type { Asked } from './asked.js';
import type { Decided } from './governor.js';
import { shownQuestion } from './shown-question.js';

const ASKED: Asked = { tool: 'ui_click', class: 'act', caller: 'mcp:a', args: { target: 'e7' } };
const DECIDED: Decided = { answer: 'ask', rule: 'mine' };
const shown = (aim?: Aim, decided = DECIDED, asked = ASKED) => shownQuestion({ asked, decided, ...(aim && { aim }) });

it.each<[string, Aim | undefined, string]>([
  ['an element', aimAt(), 'click e7 button "Delete" in w1'],
  ['one without a name', aimAt({ name: undefined }), 'click e7 button in w1'],
  ['a window', { verb: 'close', needs: {}, window: windowInfo() }, 'close in w1 "Accounts"'],
  ['a start', { verb: 'launch', needs: {}, program: '/usr/bin/crm' }, 'launch /usr/bin/crm'],
  ['neither', { verb: 'copy', needs: {} }, 'copy'],
  ['nothing yet', undefined, 'ui_click'],
])('says what it is about: %s', (_, aim, what) => {
  expect(shown(aim).what).toBe(what);
});

it('says who vouches for what', () => {
  const risk: Decided['risk'] = {
    ...{ levels: ['medium', 'high'], score: { least: 3, most: 7 } },
    parts: [{ points: 3, why: 'a destructive word' }],
  };
  expect(shown(aimAt(), { ...DECIDED, risk, reason: 'mine' })).toEqual({
    ...{ what: 'click e7 button "Delete" in w1', why: 'risk medium or high, rule mine', reason: 'mine' },
    ...{ tool: 'ui_click', caller: 'mcp:a', program: '/usr/bin/crm', pid: 71, args: { target: 'e7' } },
    ...{ score: risk.score, parts: ['3 a destructive word'] },
    screen: { app: 'crm', window: 'Accounts', role: 'button', name: 'Delete', path: ['window "Accounts"', 'group'] },
  });
  expect(shown(aimAt()).why).toBe('rule mine');
});

it('has of the screen what there is', () => {
  expect(shown(aimAt({}, { window: undefined })).screen).toMatchObject({ role: 'button', name: 'Delete' });
  expect(shown({ verb: 'close', needs: {}, window: windowInfo() }).screen).toEqual({ app: 'crm', window: 'Accounts' });
  expect(shown({ verb: 'copy', needs: {} })).not.toHaveProperty('screen');
});

it('asks for the session as a whole', () => {
  expect(shown(undefined, { ...DECIDED, enables: true })).toMatchObject({
    what: 'work of mcp on this desktop',
    enables: true,
  });
});

it('shows no password, and cuts what is long', () => {
  const typed: Asked = { tool: 'ui_type', class: 'act', caller: 'mcp:a', args: { text: 'hunter2' } };
  expect(shown(aimAt({ states: { secret: true } }), DECIDED, typed).args).toEqual({ text: REDACTED });
  expect(shown(aimAt(), DECIDED, typed).args).toEqual({ text: 'hunter2' });
  expect(shown(aimAt({ name: 'x'.repeat(5_000) })).what.length).toBeLessThan(200);
});
