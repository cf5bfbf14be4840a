import { describe, expect, it } from 'vitest';
import { Grants, type Grantable } from './grants.js';
import type { Scope } from '../../policy/decision.js';

const ACT: Grantable = {
  session: 's1',
  tool: 'ui_click',
  class: 'act',
  appGrant: true,
  program: '/usr/bin/gnome-calculator',
  risk: 'medium',
};

describe('a grant', () => {
  it.each<[Scope, Partial<Grantable>, boolean]>([
    ['once', {}, false],
    ['session', {}, true],
    ['session', { risk: 'low' }, true],
    ['session', { tool: 'ui_type' }, false],
    ['session', { program: '/tmp/gnome-calculator' }, false],
    ['session', { session: 's2' }, false],
    ['session', { risk: 'high' }, false],
    ['session', { secret: true }, false],
    ['app', {}, true],
    ['app', { tool: 'ui_type' }, true],
    ['app', { risk: 'high' }, false],
    ['app', { risk: 'prohibited' }, false],
    ['app', { tool: 'ui_click_xy', class: 'raw' }, false],
    ['app', { appGrant: false }, false],
    ['app', { tool: 'ui_capture', class: 'capture' }, false],
    ['app', { secret: true }, false],
    ['app', { program: '/usr/bin/mousepad' }, false],
    ['app', { session: 's2' }, false],
  ])('for %s covers %o: %s', (scope, other, covered) => {
    const grants = new Grants();
    grants.give(scope, ACT);
    expect(grants.covers({ ...ACT, ...other }, 'app') !== undefined).toBe(covered);
  });

  it.each<[Scope, Scope, boolean]>([
    ['session', 'once', false],
    ['session', 'session', true],
    ['session', 'app', true],
    ['app', 'once', false],
    ['app', 'session', false],
    ['app', 'app', true],
  ])('for %s covers an act that may be granted for %s: %s', (scope, widest, covered) => {
    const grants = new Grants();
    grants.give(scope, ACT);
    expect(grants.covers(ACT, widest) !== undefined).toBe(covered);
  });

  it('for the session does not cover a higher risk than the approved act had', () => {
    const grants = new Grants();
    grants.give('session', { ...ACT, risk: 'low' });
    expect(grants.covers({ ...ACT, risk: 'low' }, 'app')).toBeDefined();
    expect(grants.covers(ACT, 'app')).toBeUndefined();
  });

  it('for the app covers risks up to medium', () => {
    const grants = new Grants();
    grants.give('app', { ...ACT, risk: 'low' });
    expect(grants.covers(ACT, 'app')).toBeDefined();
    expect(grants.covers({ ...ACT, risk: 'high' }, 'app')).toBeUndefined();
  });

  it.each<Partial<Grantable>>([{ risk: 'high' }, { risk: 'prohibited' }, { secret: true }])(
    'is not given for %o',
    (other) => {
      const grants = new Grants();
      expect(grants.give('app', { ...ACT, ...other })).toBeUndefined();
      expect(grants.all).toEqual([]);
    },
  );

  it('ends after eight hours, with its session, when it is revoked, and with endAll', () => {
    let now = 0;
    const grants = new Grants(() => now);
    grants.give('app', ACT);
    now = 8 * 3_600_000 - 1;
    expect(grants.covers(ACT, 'app')).toBeDefined();
    now += 1;
    expect(grants.covers(ACT, 'app')).toBeUndefined();
    expect(grants.all).toEqual([]);

    grants.give('app', ACT);
    grants.give('app', { ...ACT, session: 's2' });
    grants.endSession('s1');
    expect(grants.all.map(({ session }) => session)).toEqual(['s2']);

    const { id } = grants.give('session', ACT)!;
    expect(grants.revoke(id)).toBe(true);
    expect(grants.revoke(id)).toBe(false);
    expect(grants.covers(ACT, 'app')).toBeUndefined();

    grants.endAll();
    expect(grants.all).toEqual([]);
  });
});
