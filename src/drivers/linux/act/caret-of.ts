import type { Deadline } from '../../../shared/index.js';
import type { Caret } from '../../contract/index.js';
import type { Apps } from '../atspi/apps.js';
import { parseElementId } from '../atspi/element-id.js';
import { stale } from '../atspi/lineage.js';
import { explained } from '../window-tree.js';
import { readCaret } from './by-text.js';
import { readSubject } from './subject.js';

export async function caretOf(apps: Apps, element: string, deadline: Deadline): Promise<Caret | undefined> {
  const id = parseElementId(element);
  if (!id) throw stale();
  const link = await apps.linkByBusName(id.address[0], deadline);
  return explained(link, async () => readCaret(await readSubject(link.until(deadline), id)));
}
