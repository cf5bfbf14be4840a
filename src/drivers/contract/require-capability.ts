import type { Driver, OptionalMethod } from './driver.js';
import { DesktopError } from '../../shared/index.js';

/** Methods that change the desktop. Only the actor may reach them, so `requireCapability` does not give them out. */
type ChangingMethod = 'act' | 'changeWindow' | 'input' | 'clipboard';

/** Returns a reading method that a driver may lack, or throws `not_supported` with the driver's reason and fix. */
export function requireCapability<Name extends Exclude<OptionalMethod & keyof Driver, ChangingMethod>>(
  driver: Driver,
  name: Name,
): NonNullable<Driver[Name]> {
  const method = driver[name];
  if (method) return method;
  const ability = driver.describe().capabilities[name];
  const why = ability.can === 'yes' ? '' : `: ${ability.reason}`;
  throw new DesktopError('not_supported', `This desktop cannot do that (${name})${why}.`, {
    retry: 'no',
    hint: ability.can !== 'yes' && ability.fix ? ability.fix : 'ui_capabilities tells what works here.',
  });
}
