import type { Driver, OptionalMember } from './driver.js';
import { DesktopError } from '../../shared/index.js';

/** Members that change the desktop. Only the actor may reach them, so `requireCapability` does not return them. */
type ChangingMember = 'act' | 'changeWindow' | 'input' | 'clipboard' | 'resume';

/** Methods that read the desktop and that a driver may lack. */
type ReadingMethod = Exclude<OptionalMember, ChangingMember | 'lost'>;

/** The method, bound to its driver, or `not_supported` with the driver's reason and fix. */
export function requireCapability<Name extends ReadingMethod>(driver: Driver, name: Name): NonNullable<Driver[Name]> {
  const method = driver[name];
  if (method) return method.bind(driver) as NonNullable<Driver[Name]>;
  throw missingCapability(driver, name);
}

export function missingCapability(driver: Driver, name: OptionalMember): DesktopError {
  const state = driver.describe().capabilities[name];
  const why = state.can === 'yes' ? '' : `: ${state.reason.replace(/\.$/, '')}`;
  return new DesktopError('not_supported', `This desktop cannot do that (${name})${why}.`, {
    retry: 'no',
    hint: state.can !== 'yes' && state.fix ? state.fix : 'ui_capabilities tells what works here.',
  });
}
