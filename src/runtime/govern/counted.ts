import type { Driver } from '../../drivers/contract/index.js';
import { derived } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';

/** What one call has asked of the driver so far. */
export interface Cost {
  driverCalls: number;
}

/** What says how a driver is, without asking anything of the desktop. */
const FREE: ReadonlySet<PropertyKey> = new Set(['describe']);
/** Parts of a driver with methods of their own. */
const PARTS: ReadonlySet<PropertyKey> = new Set(['hands', 'clipboard']);

/** The same desktop, for one call, that keeps account of what the call asks of its driver. */
export function counted(desktop: Desktop): Desktop & { cost: Cost } {
  const cost: Cost = { driverCalls: 0 };
  return derived(desktop, { cost, driver: counting<Driver>(desktop.driver, cost) }) as Desktop & { cost: Cost };
}

function counting<T extends object>(part: T, cost: Cost): T {
  return new Proxy(part, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key, target);
      if (PARTS.has(key) && value !== undefined) return counting(value as object, cost);
      if (typeof value !== 'function' || FREE.has(key)) return value;
      return (...args: unknown[]): unknown => {
        cost.driverCalls += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}
