import type { ActionPlan } from '../act/action.js';
import type { ResolvedCommand, LaunchEnvironment } from '../../drivers/contract/index.js';
import type { Deadline } from '../../shared/index.js';
import type { CallView } from '../visibility/call-view.js';
import { callRequest, targetFacts } from '../request/policy-request.js';
import type { Tool } from '../call/tool.js';
import type { PolicyDecision } from './authorizer.js';
import { intentOf, isRefusal, recordCall, recordedAs } from '../request/audit-record.js';

interface LaunchRequest extends LaunchEnvironment {
  /** The tool whose rules, limits and record apply. */
  tool: Pick<Tool, 'name' | 'class' | 'traits'>;
  command: string;
  args: readonly string[];
  caller: string;
}

/**
 * `desktop launch`: the same rules, limits and record as for the tool that launches. Where the user would be asked, the
 * command itself is the approval: anyone who can run it can also start the program there without us (`desktop run`).
 */
export async function authorizeLaunch<T>(
  desktop: CallView,
  { deadline, ...wanted }: LaunchRequest & { deadline: Deadline },
  start: (authorized: ResolvedCommand | undefined) => Promise<T>,
): Promise<T> {
  // Queued like an act: nothing starts while the user is asked about another act, and nothing after a stop.
  return desktop.emergencyStop.guard('desktop launch', deadline.signal, () =>
    desktop.queue.run(deadline, async (turn) => {
      await turn.waitForAnswers(deadline);
      return startInTurn(desktop, wanted, start);
    }),
  );
}

async function startInTurn<T>(
  desktop: CallView,
  { tool, command, args, caller, ...around }: LaunchRequest,
  start: (authorized: ResolvedCommand | undefined) => Promise<T>,
): Promise<T> {
  const { authorizer, driver } = desktop;
  const request = callRequest(tool, caller, { command, args: [...args] });
  const { name } = driver.describe();
  const begun = desktop.resolveCommand?.(command, args, around);
  const plan: ActionPlan = { verb: 'launch', needs: {}, ...(begun && { start: begun }) };
  const permit = async (): Promise<PolicyDecision> => {
    const allowed = authorizer.decideOrRefuse(request, targetFacts(plan));
    authorizer.count(request);
    return allowed;
  };
  const decision = await permit().catch(async (error: unknown) => {
    if (isRefusal(error)) await recordCall(authorizer, request, name, { error });
    throw error;
  });
  const approval = decision.answer === 'ask' && { approval: { by: 'desktop launch', scope: 'once' } };
  const intent = intentOf(request, plan, decision, { driver: name, ...approval });
  return recordedAs(
    desktop,
    intent,
    () => 'unknown',
    () => {
      desktop.launches.lastAt = performance.now();
      return start(begun);
    },
    () => ({ status: 'ok', delivered: 'yes' }),
  );
}
