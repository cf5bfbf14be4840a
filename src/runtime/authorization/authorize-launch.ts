import type { ActionPlan } from '../act/action.js';
import type { Start, Surroundings } from '../../drivers/contract/index.js';
import type { Deadline } from '../../shared/index.js';
import type { CallView } from '../visibility/call-view.js';
import { type CallRequest, targetFacts } from '../request/policy-request.js';
import type { PolicyDecision } from './authorizer.js';
import { intentOf, isRefusal, recordCall, recordedAs } from '../request/audit-record.js';

interface Wanted extends Surroundings {
  command: string;
  args: readonly string[];
  caller: string;
}

/**
 * `desktop launch`: the same rules, limits and record as for `ui_launch`. Where a person would be asked, they have said
 * it already: whoever can type this can start the same program in the desktop without us (`desktop run`).
 */
export async function authorizeLaunch<T>(
  desktop: CallView,
  { deadline, ...wanted }: Wanted & { deadline: Deadline },
  start: (judged: Start | undefined) => Promise<T>,
): Promise<T> {
  // Also while a person is asked about something: nothing is begun beside it, and nothing after a stop.
  return desktop.emergencyStop.guard('desktop launch', deadline.signal, () =>
    desktop.queue.run(deadline, () => startInTurn(desktop, wanted, start)),
  );
}

async function startInTurn<T>(
  desktop: CallView,
  { command, args, caller, ...around }: Wanted,
  start: (judged: Start | undefined) => Promise<T>,
): Promise<T> {
  const { authorizer, driver } = desktop;
  const request: CallRequest = { tool: 'ui_launch', class: 'act', caller, args: { command, args: [...args] } };
  const { name } = driver.describe();
  const begun = desktop.startOf?.(command, args, around);
  const plan: ActionPlan = { verb: 'launch', needs: {}, ...(begun && { start: begun }) };
  const permit = async (): Promise<PolicyDecision> => {
    const decision = authorizer.decideAndCount(request, targetFacts(plan));
    authorizer.count(request);
    return decision;
  };
  const decided = await permit().catch(async (error: unknown) => {
    if (isRefusal(error)) await recordCall(authorizer, request, name, { error });
    throw error;
  });
  const said = decided.answer === 'ask' && { approval: { by: 'desktop launch', scope: 'once' } };
  const intent = intentOf(request, plan, decided, { driver: name, ...said });
  return recordedAs(
    desktop,
    intent,
    () => 'unknown',
    () => start(begun),
    () => ({ status: 'ok', delivered: 'yes' }),
  );
}
