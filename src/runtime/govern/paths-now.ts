import type { Deadline } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import type { Aim, Under } from '../act/aim.js';
import type { Desktop } from '../desktop.js';
import type { Target } from '../find-target.js';
import { lookAtWindows } from '../look.js';

/**
 * A ref is known with the way to it as somebody saw it last; where it hangs now only its window tells. `seen`: a look
 * that was made just now.
 */
export async function withPathsNow(
  desktop: Desktop,
  aim: Aim,
  deadline: Deadline,
  seen?: Pick<Snapshot, 'windows' | 'roots'>,
): Promise<Aim> {
  const { target, onto, lands, end } = aim;
  const targets = [target, onto, lands?.target, end?.lands?.target].filter((one) => one !== undefined);
  const windows = new Map(targets.map(({ window }) => [window.id, window]));
  for (const { id } of seen?.windows ?? []) windows.delete(id);
  const looks = [...(seen ? [seen] : [])];
  if (windows.size > 0) looks.push(await lookAtWindows(desktop, [...windows.values()], { deadline }));
  const now = (one: Target): Target => {
    const way = desktop.shelf.pathOf(one.element.ref);
    const fresh = way && looks.some(({ roots }) => roots.includes(way[0]!));
    // What a selector found was read on the way to it, also where a look does not go.
    if (!way || (one.how === 'name' && !fresh)) return one;
    return { ...one, element: { ...one.element, children: way.at(-1)!.children }, path: way.slice(0, -1) };
  };
  const landing = ({ target: there }: NonNullable<Under['lands']>): Under['lands'] =>
    there ? { target: now(there) } : {};
  return {
    ...aim,
    ...(target && { target: now(target) }),
    ...(onto && { onto: now(onto) }),
    ...(lands && { lands: landing(lands) }),
    ...(end?.lands && { end: { ...end, lands: landing(end.lands) } }),
  };
}
