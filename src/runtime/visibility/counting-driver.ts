import type { Driver } from '../../drivers/contract/index.js';

/** The driver calls of one call so far. */
export interface Cost {
  driverCalls: number;
}

/** Methods that describe the driver without querying the desktop, or that are a part of another call. */
const UNCOUNTED: ReadonlySet<PropertyKey> = new Set(['describe', 'resume', 'releaseScreenshot']);
/** Parts of a driver with methods of their own. */
const PARTS: ReadonlySet<PropertyKey> = new Set(['input', 'clipboard']);

/** The same driver, with every call on it counted in `cost`. */
export function countingDriver(driver: Driver, cost: Cost): Driver {
  return countCalls(driver, cost);
}

function countCalls<T extends object>(part: T, cost: Cost): T {
  return new Proxy(part, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key, target);
      if (PARTS.has(key) && value !== undefined) return countCalls(value as object, cost);
      if (typeof value !== 'function' || UNCOUNTED.has(key)) return value;
      return (...args: unknown[]): unknown => {
        cost.driverCalls += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}
