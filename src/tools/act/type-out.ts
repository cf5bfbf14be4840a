import type { Actor, Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';

/** A cell of a spreadsheet, which takes text by being selected and typed into. */
export function isSheetCell({ element }: Target): boolean {
  return element.role === 'cell' && element.cell?.address !== undefined;
}

/** Stops where the focus leaves the target: the rest would go somewhere else. */
export async function typeOut(
  actor: Actor,
  target: Target,
  text: string,
  delayMs?: number,
  hidden = false,
): Promise<void> {
  if (text === '') return;
  const { ref } = target.element;
  // While a cell is written the focus is in an editor above it: that its window is active must do.
  const inWindow = async (): Promise<boolean> => (await actor.reader.activeWindow()).ref === target.window.ref;
  const goOn = isSheetCell(target) ? inWindow : (): Promise<boolean> => actor.hasFocus(target);
  const { typed, done } = await actor.type(text, { goOn, ...(delayMs !== undefined && { delayMs }) });
  if (done) return;
  const far = hidden ? 'before the end' : `after ${typed} characters`;
  throw new DesktopError('target_changed', `The focus left ${ref} ${far}.`, {
    delivered: typed > 0 ? 'yes' : 'no',
    retry: 'no',
    hint: `see what it holds: ui_read ${ref}.`,
    ...(!hidden && { details: { typed } }),
  });
}
