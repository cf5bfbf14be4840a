import type { Actor, Target, Typed } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { characters } from './characters.js';

const STOPPED: ReadonlySet<string> = new Set(['app_hung', 'target_changed', 'process_gone']);

const CUT: ReadonlySet<string> = new Set(['timeout', 'cancelled']);

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
  const there = isSheetCell(target) ? inWindow : (): Promise<boolean> => actor.hasFocus(target);
  const goOn = (): Promise<boolean> => actor.noMenuElsewhere(target.window).then(there).catch(ifEnded);
  const { typed, done } = await actor
    .type(text, { goOn, ...(delayMs !== undefined && { delayMs }) })
    .catch((error: unknown) => ifStoppedByEnd(error, () => actor.hasEnded(target)))
    .catch((error: unknown) => {
      throw hidden ? error : howFar(error, ref, text);
    });
  if (done) return;
  const far = hidden ? 'before the end' : `after ${characters(typed)}`;
  const so = {
    delivered: typed > 0 ? 'yes' : 'no',
    retry: 'no',
    ...(!hidden && { details: { typed } }),
  } as const;
  if (await actor.hasEnded(target))
    throw new DesktopError('process_gone', `The app of ${ref} has ended ${far}.`, {
      ...so,
      hint: 'start it again, then look what it kept.',
    });
  throw new DesktopError('target_changed', `The focus left ${ref} ${far}.`, {
    ...so,
    hint: `see what it holds: ui_read ${ref}.`,
  });
}

/** Whoever's time is up in the middle of a long text has to know where. */
function howFar(error: unknown, ref: string, text: string): unknown {
  if (!(error instanceof DesktopError) || !CUT.has(error.code) || error.delivered === 'no') return error;
  const { code, message, delivered, details, cause } = error;
  const { typed } = details ?? {};
  if (typeof typed !== 'number') return error;
  return new DesktopError(code, `${message.replace(/\.$/, '')} after ${typed} of ${characters(text)}.`, {
    ...{ delivered, details, cause, retry: 'no' },
    hint: `see what it holds: ui_read ${ref}; then type the rest, or more time: timeoutMs.`,
  });
}

/** An app that has ended does not get on with its keys, either. */
async function ifStoppedByEnd(error: unknown, ended: () => Promise<boolean>): Promise<Typed> {
  if (!(error instanceof DesktopError) || !STOPPED.has(error.code) || !(await ended())) throw error;
  const { typed } = error.details ?? {};
  return { typed: typeof typed === 'number' ? typed : 0, done: false };
}

/** Then nothing more is typed, and what became of it is looked at once. */
function ifEnded(error: unknown): false {
  if (error instanceof DesktopError && error.code === 'process_gone') return false;
  throw error;
}
