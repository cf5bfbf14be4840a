import type { ActOptions, PatternAct, PatternAnswer } from '../../contract/index.js';
import type { Apps } from '../atspi/apps.js';
import { parseElementId } from '../atspi/element-id.js';
import { stale } from '../atspi/lineage.js';
import { explained } from '../window-tree.js';
import type { ActLines } from './act-lines.js';
import { begunBeside } from './begun-beside.js';
import { planOf } from './plan.js';
import { notReady, unsupported } from './refusals.js';
import { sendDeed } from './send-deed.js';
import { readSubject, type Subject } from './subject.js';

/** Need nothing but to be there. */
const GENTLE: ReadonlySet<PatternAct['kind']> = new Set(['focus', 'scrollIntoView']);

/**
 * Does it through what the app offers for it, without mouse and keys. Everything that can be wrong is found out by
 * reading first, on the connection of the reads; the act itself goes out on one of its own.
 */
export async function actOn(
  { apps, lines }: { apps: Apps; lines: ActLines },
  element: string,
  act: PatternAct,
  { deadline, lastLook }: ActOptions,
): Promise<PatternAnswer> {
  const id = parseElementId(element);
  if (!id) throw stale();
  deadline.throwIfOver('The act');
  const link = await apps.linkByBusName(id.address[0], deadline);
  const lookLast = lastLook && begunBeside(lastLook);
  const [line, plan] = await explained(link, async () => {
    const read = (): Promise<Subject> => readSubject(link.until(deadline), id);
    const subject = await read();
    // GTK 3 answers true for a disabled button and does nothing, and writes into a disabled field.
    if (!subject.enabled && !GENTLE.has(act.kind)) throw notReady('is disabled');
    const planned = await planOf(subject, act);
    if (!planned) {
      // What goes away while it is asked offers nothing.
      await read();
      throw unsupported(act.kind);
    }
    return 'already' in planned ? [undefined, planned] : [await lines.take(link, deadline), planned];
  });
  if ('already' in plan) return { by: `nothing: it ${plan.already}`, said: true };
  try {
    await lookLast?.();
    deadline.throwIfOver('The act');
    const { said, waiting } = await sendDeed(link, line!, plan, deadline);
    return { by: waiting ? `${plan.by} (the app answers it when what it opened is closed)` : plan.by, said };
  } finally {
    line!.release();
    // GTK 4 and Qt do not announce all that an act changes: what is remembered of it is asked again.
    for (const path of new Set([id.address[1], plan.call.path])) {
      link.memory.notice({ type: 'event', path, children: false });
    }
  }
}
