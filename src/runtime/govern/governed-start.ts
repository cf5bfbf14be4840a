import { DesktopError } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';
import type { Asked } from './asked.js';
import { intentOf, recordedAs } from './recorded.js';

/** A person's own start of a program from a command line: the same rules and the same record as for `ui_launch`. */
export async function governedStart<T>(
  desktop: Desktop,
  { command, args, caller }: { command: string; args: readonly string[]; caller: string },
  start: () => Promise<T>,
): Promise<T> {
  const { governor, driver } = desktop;
  const asked: Asked = { tool: 'ui_launch', class: 'act', caller, args: { command, args: [...args] } };
  governor.admit(asked);
  governor.count(asked);
  const program = desktop.programOf?.(command);
  const decided = governor.judge(asked, program === undefined ? {} : { app: program });
  if (decided.answer === 'ask') {
    throw new DesktopError(
      'approval_required',
      `Starting ${program ?? command} needs a person (rule ${decided.rule}).`,
      {
        hint: 'deskwright launch asks you in this terminal.',
      },
    );
  }
  const aim = { verb: 'launch', needs: {}, ...(program !== undefined && { program }) };
  const intent = intentOf(asked, aim, decided, { driver: driver.describe().name });
  return recordedAs(
    governor,
    intent,
    () => 'unknown',
    start,
    () => ({ status: 'ok', delivered: 'yes' }),
  );
}
