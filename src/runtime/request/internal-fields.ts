/**
 * Facts that policy and visibility rules need and that callers never get: the complete title of a window (`fullTitle`)
 * and the app that a finding names (`app`). They are ordinary fields, so that a driver in another process can send
 * them. This is the only place that removes them; answers, errors, log records and findings pass here when they leave.
 */
export function withoutInternalFields<T>(value: T): T {
  return strip(value) as T;
}

/** Element trees are large and contain neither windows nor findings. */
const TREES: ReadonlySet<string> = new Set(['roots', 'children']);

function strip(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(strip);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isPlainObject(value)) return value;
  const isFinding = typeof value.level === 'string' && typeof value.what === 'string';
  let kept: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    const isInternal = key === 'fullTitle' || (isFinding && key === 'app');
    const inner = isInternal || TREES.has(key) ? member : strip(member);
    if (!isInternal && inner === member) continue;
    kept ??= { ...value };
    if (isInternal) delete kept[key];
    else kept[key] = inner;
  }
  return kept ?? value;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
