import type { Driver, OptionalMethod } from '../../drivers/contract/index.js';
import { DesktopError } from '../../shared/index.js';

/** A method that a driver may lack; the refusal says why and what would help. */
export function requireCapability<Name extends OptionalMethod & keyof Driver>(
  driver: Driver,
  name: Name,
): NonNullable<Driver[Name]> {
  const method = driver[name];
  if (method) return method;
  const ability = driver.describe().abilities[name];
  const why = ability.can === 'yes' ? '' : `: ${ability.reason}`;
  throw new DesktopError('not_supported', `This desktop cannot do that (${name})${why}.`, {
    retry: 'no',
    hint: ability.can !== 'yes' && ability.fix ? ability.fix : 'ui_capabilities tells what works here.',
  });
}
