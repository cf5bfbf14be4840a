import type { Link } from './link.js';
import type { SnapshotOptions } from './options.js';
import type { Snapshot } from './surface.js';

/** A look with its text. */
export async function snapshotOf(
  link: Link,
  options: SnapshotOptions & { window?: string; target?: string },
): Promise<Snapshot> {
  const { json, text } = await link.call('ui_snapshot', options);
  return { ...(json as unknown as Snapshot), text };
}
