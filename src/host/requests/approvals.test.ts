import { afterEach, expect, it } from 'vitest';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop } from '../../runtime/index.js';
import type { LoadedGovernance } from '../governance/load-governance.js';
import { approvalRequests } from './approvals.js';
import type { RequestContext } from '../server/server.js';

let desktop: Desktop;
afterEach(() => desktop.close());

it.each([
  [true, { changed: true, byPolicy: true }, { changed: false, byPolicy: true }],
  [false, { changed: true }, { changed: false }],
])('disable revokes all grants, and reports whether the policy enables the session (enabled: %s)', async (...row) => {
  const [enabled, first, second] = row;
  const policy = compilePolicy({ user: { version: 1, enabled } }, 'seat');
  desktop = new Desktop({ name: 'desk', kind: 'seat', driver: fakeDesktop({ windows: [] }).driver, policy });
  const { enable, disable } = approvalRequests(desktop, {} as LoadedGovernance);
  await enable!({}, {} as RequestContext);
  expect(await disable!({}, {} as RequestContext)).toEqual(first);
  expect(await disable!({}, {} as RequestContext)).toEqual(second);
  expect(desktop.authorizer.isEnabled('cli')).toBe(false);
});
